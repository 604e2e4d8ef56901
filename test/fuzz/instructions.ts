import { sizeOf } from '../../src/execution/tracing/stepLog.ts'
import { concatBytes } from '../../src/primitives/bytes.ts'

/** The code's opcodes, each with the data of a PUSH. */
export function instructionsOf(code: Uint8Array): Uint8Array[] {
  const list: Uint8Array[] = []
  for (let at = 0; at < code.length; ) {
    const end = at + sizeOf(code[at]!)
    list.push(code.subarray(at, end))
    at = end
  }
  return list
}

export function codeOfInstructions(list: readonly Uint8Array[]): Uint8Array {
  return concatBytes(...list)
}
