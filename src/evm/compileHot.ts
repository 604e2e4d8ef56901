import { setImmediate } from 'node:timers/promises'
import type { Hash32 } from '../primitives/bytes.ts'
import { runInTurns, runSteps } from '../primitives/steps.ts'
import { compileAside, Instance, Module } from '../primitives/wasm.ts'
import * as layout from './assembly/layout.ts'
import { compileCode } from './compiler/compileCode.ts'
import type { EvmModule } from './evmModule.ts'
import type { LinearMemory } from './linearMemory.ts'
import type { OpTable } from './opTables.ts'

/** A function of a contract like a token takes about 20 KB, and is never removed. */
const maxFunctions = 4096

/** Compiles contracts of an instance of the engine, and puts their functions into its table. */
export interface HotCompiler {
  /** Compiles the code of an entry. */
  compile(entry: number): void
  /** Functions in the table that contracts were compiled to. */
  functions(): number
  /** Whether there is little room for more functions. */
  isFull(): boolean
}

export interface HotCompilerParts {
  readonly wasm: EvmModule
  readonly memory: LinearMemory
  ops(): OpTable
  /** Whether the instance is the one that runs messages, and runs none. */
  isIdle(): boolean
}

/** Code of an entry as it was when it was found to be hot: entries are released between transactions. */
interface HotCode {
  readonly hash: Hash32
  readonly bytes: Uint8Array
  readonly ops: OpTable
  /** The number of the opcode table. */
  readonly table: number
}

interface HotModule {
  readonly module: object
  /** Positions at which its functions begin. */
  readonly entries: readonly number[]
}

/**
 * Creates a compiler. It compiles at once, which keeps the contract's first caller waiting, or in turns of the event loop
 * and in V8's own threads; then the contract is interpreted until it is done.
 */
export function createHotCompiler(parts: HotCompilerParts, atOnce: boolean): HotCompiler {
  const { wasm, memory } = parts
  const engineFunctions = wasm.table.length
  /** One after the other: together they would take a slice of the same turn each. */
  let last: Promise<unknown> = Promise.resolve()

  function read(entry: number): HotCode | undefined {
    const hash = memory.hash(entry + layout.C_HASH)
    // Init code has no hash, and runs once.
    if (hash.every((byte) => byte === 0)) return undefined
    const bytes = memory.slice(entry + layout.C_BYTES, memory.u32(entry + layout.C_LENGTH))
    return { hash, bytes, ops: parts.ops(), table: memory.u32(entry + layout.C_TABLE) }
  }

  function steps({ bytes, ops }: HotCode) {
    return compileCode(bytes, { ops, scheduleAt: wasm.scheduleAt(), environmentAt: wasm.environmentAt() })
  }

  function install(entry: number, { module, entries }: HotModule): void {
    const tableBase = wasm.table.length
    if (tableBase + entries.length > maxFunctions) return
    wasm.table.grow(entries.length)
    new Instance(module, { engine: wasm, place: { tableBase } })
    const traces = wasm.newTraces(entry)
    for (const [i, at] of entries.entries()) memory.setU16(traces + 2 * at, tableBase + i)
  }

  async function compileInTurns(code: HotCode): Promise<void> {
    if (!parts.isIdle()) return
    const compiled = await runInTurns(steps(code), setImmediate, () => !parts.isIdle())
    if (!compiled) return
    const module = await compileAside(compiled.module)
    if (!parts.isIdle()) return
    const hashAt = wasm.inputAt(code.hash.length)
    memory.set(hashAt, code.hash)
    const entry = wasm.findCode(hashAt)
    if (entry && memory.u32(entry + layout.C_TABLE) === code.table && !memory.u32(entry + layout.C_TRACES))
      install(entry, { module, entries: compiled.entries })
  }

  return {
    compile(entry) {
      const code = read(entry)
      if (!code) return
      if (atOnce) {
        const { module, entries } = runSteps(steps(code))
        install(entry, { module: new Module(module), entries })
      } else {
        // What V8 cannot compile stays with the interpreter.
        last = last.then(() => compileInTurns(code)).catch(() => {})
      }
    },
    functions: () => wasm.table.length - engineFunctions,
    isFull: () => wasm.table.length > maxFunctions / 2,
  }
}
