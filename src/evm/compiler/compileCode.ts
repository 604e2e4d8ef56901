import type { Steps } from '../../primitives/steps.ts'
import type { OpTable } from '../opTables.ts'
import { openBlocks } from './blocks.ts'
import { compileTrace } from './compileTrace.ts'
import { engineFunctions, engineGlobals } from './engineImports.ts'
import { type TraceContext, traceSignature } from './traceWriter.ts'
import { encodeModule, type WasmFunction } from './wasmModule.ts'

/** Contract code as a WebAssembly module. */
export interface CompiledCode {
  readonly module: Uint8Array
  /** Positions at which traces begin; the n-th is at index n after the base that the module imports. */
  readonly entries: readonly number[]
}

export interface CompileOptions {
  readonly ops: OpTable
  readonly scheduleAt: number
  readonly environmentAt: number
}

/** Traces of a contract, and instructions of the EVM in all of them. What is found later is left to the interpreter. */
const [maxTraces, maxInstructions] = [256, 20_000]

/** Compiles contract code, from its start along all ways that are known, to functions that the engine calls. */
export function* compileCode(bytes: Uint8Array, options: CompileOptions): Steps<CompiledCode> {
  const { ops, scheduleAt, environmentAt } = options
  const code = openBlocks(bytes, ops)
  const entries: number[] = []
  const found = new Map<number, number>()
  const functions: WasmFunction[] = []
  let size = 0

  const context: TraceContext = {
    code,
    ops,
    scheduleAt,
    environmentAt,
    functionOf(at) {
      const known = found.get(at)
      if (known !== undefined) return known
      if (entries.length === maxTraces || size > maxInstructions || !code.blockAt(at)) return undefined
      const index = engineFunctions.length + entries.length
      found.set(at, index)
      entries.push(at)
      return index
    },
  }
  context.functionOf(0)
  // Traces find others.
  for (let i = 0; i < entries.length; i++) {
    const at = entries[i]!
    const trace = compileTrace(at, code.blockAt(at)!, context)
    size += trace.size
    functions.push(trace)
    yield
  }
  const module = encodeModule({
    imports: engineFunctions,
    globals: engineGlobals,
    functions,
    signature: traceSignature,
  })
  return { module, entries }
}
