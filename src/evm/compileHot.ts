import { Instance, Module } from '../primitives/wasm.ts'
import * as layout from './assembly/layout.ts'
import { compileCode } from './compiler/compileCode.ts'
import type { EvmModule } from './evmModule.ts'
import type { LinearMemory } from './linearMemory.ts'
import type { OpTable } from './opTables.ts'

/** A function of a contract like a token takes about 20 KB. */
const maxTableLength = 4096

/** Compiles the code of a code entry and puts its functions into the engine's table. */
export function compileHot(wasm: EvmModule, memory: LinearMemory, ops: OpTable, entry: number): void {
  const hash = memory.hash(entry + layout.C_HASH)
  // Init code has no hash, and runs once.
  if (hash.every((byte) => byte === 0)) return
  const tableBase = wasm.table.length
  const bytes = memory.slice(entry + layout.C_BYTES, memory.u32(entry + layout.C_LENGTH))
  const [scheduleAt, environmentAt] = [wasm.scheduleAt(), wasm.environmentAt()]
  const { module, entries } = compileCode(bytes, { ops, scheduleAt, environmentAt, tableBase })
  if (tableBase + entries.length > maxTableLength) return
  wasm.table.grow(entries.length)
  new Instance(new Module(module), { engine: wasm })
  const traces = wasm.newTraces(entry)
  for (const [i, at] of entries.entries()) memory.setU16(traces + 2 * at, tableBase + i)
}
