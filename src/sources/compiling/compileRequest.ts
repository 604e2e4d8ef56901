import type { Compiler } from './compilers.ts'
import type { CompileLimits } from './runCompiler.ts'
import type { SolcVersion } from './solcVersion.ts'
import type { StandardJson, Target } from './standardJson.ts'

// What the node and the process in which compilers run say to each other.

/** How much a compiler may take, and say. */
export interface CompilingLimits extends CompileLimits {
  /** Characters of what is passed on of a contract: an ABI can be a thousand times as long as its sources. */
  readonly answer: number
}

/** What the process is started with; plain values. */
export interface CompilerSettings {
  readonly limits: CompilingLimits
  /** Folder of answers that are too long for the pipe. */
  readonly folder: string
}

/** What to compile. */
export interface CompileRequest {
  readonly compiler: Compiler
  /** The one that it has to be. */
  readonly version: SolcVersion
  readonly input: StandardJson
  readonly target: Target
}

/** Status of an answer: the contract, the data of a SourceError, or nothing because the compiler is another one. */
export const compileStatus = { done: 200, refused: 400, otherCompiler: 404, failed: 500 } as const
