import * as layout from './assembly/layout.ts'
import type { OpTable } from './opTables.ts'

const entryBytes = 8

/** Encodes the table as the WebAssembly module reads it. */
export function encodeOps(table: OpTable): Uint8Array {
  const out = new Uint8Array(256 * entryBytes)
  const view = new DataView(out.buffer)
  for (let code = 0; code < 256; code++) {
    const op = table[code]
    const at = code * entryBytes
    view.setInt32(at + layout.OP_GAS, op?.gas ?? -1, true)
    view.setUint16(at + layout.OP_IN, op?.in ?? 0, true)
    view.setUint16(at + layout.OP_OUT, op?.out ?? 0, true)
  }
  return out
}
