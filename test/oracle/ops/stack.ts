import { bytesToBigInt } from '../../../src/primitives/u256.ts'
import { type Opcode, opcode } from '../opcode.ts'
import { sliceOf } from '../words.ts'

const upTo = (count: number, make: (n: number) => Opcode) => Array.from({ length: count }, (_, i) => make(i + 1))

export const stack: readonly Opcode[] = [
  opcode(0x50, 'POP', 1, 0, 2n, (frame) => void frame.pop()),
  opcode(0x5f, 'PUSH0', 0, 1, 2n, (frame) => frame.push(0n), 'shanghai'),
  ...upTo(32, (n) =>
    opcode(0x5f + n, `PUSH${n}`, 0, 1, 3n, (frame) => {
      frame.push(bytesToBigInt(sliceOf(frame.code, BigInt(frame.pc), BigInt(n))))
      frame.pc += n
    }),
  ),
  ...upTo(16, (n) => opcode(0x7f + n, `DUP${n}`, n, n + 1, 3n, (frame) => frame.push(frame.stack.at(-n)!))),
  ...upTo(16, (n) =>
    opcode(0x8f + n, `SWAP${n}`, n + 1, n + 1, 3n, ({ stack }) => {
      const top = stack.length - 1
      const deep = top - n
      const word = stack[top]!
      stack[top] = stack[deep]!
      stack[deep] = word
    }),
  ),
]
