import { opcodes } from '../../../src/evm/opcodes.ts'
import { concatBytes } from '../../../src/primitives/bytes.ts'
import { bigIntToBytes } from '../../../src/primitives/u256.ts'

/** A place in the code that is known only when all of it is. */
export interface Label {
  position: number | undefined
}

/** Puts code together; labels become PUSH2, data go behind the code. */
export type Assembler = ReturnType<typeof createAssembler>

export function createAssembler() {
  const bytes: number[] = []
  const uses: { readonly at: number; readonly label: Label }[] = []
  const tail: { readonly label: Label; readonly data: Uint8Array }[] = []

  function op(...codes: readonly number[]): void {
    for (const code of codes) bytes.push(code)
  }

  return {
    op,
    size: () => bytes.length,
    push(value: bigint, width?: number): void {
      const short = bigIntToBytes(value)
      const length = Math.max(width ?? 1, short.length, 1)
      op(opcodes.PUSH0 + length, ...new Uint8Array(length - short.length), ...short)
    },
    pushLabel(label: Label): void {
      op(opcodes.PUSH2, 0, 0)
      uses.push({ at: bytes.length - 2, label })
    },
    place(label: Label): void {
      label.position = bytes.length
      op(opcodes.JUMPDEST)
    },
    /** Data that the code may copy from where the label says. */
    data(data: Uint8Array): Label {
      const label: Label = { position: undefined }
      tail.push({ label, data })
      return label
    },
    code(): Uint8Array {
      let end = bytes.length + 1
      for (const { label, data } of tail) {
        label.position = end
        end += data.length
      }
      const head = Uint8Array.from([...bytes, 0])
      for (const { at, label } of uses) {
        head[at] = label.position! >> 8
        head[at + 1] = label.position! & 0xff
      }
      return concatBytes(head, ...tail.map(({ data }) => data))
    },
  }
}
