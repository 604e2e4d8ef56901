import { bytesToBigInt } from '../../../src/primitives/u256.ts'
import { type Opcode, opcode } from '../opcode.ts'
import { wordBytes, wordsIn } from '../words.ts'

export const memory: readonly Opcode[] = [
  opcode(0x51, 'MLOAD', 1, 1, 3n, (frame) => {
    const offset = frame.pop()
    frame.expand(offset, 32n)
    frame.push(bytesToBigInt(frame.read(offset, 32n)))
  }),
  opcode(0x52, 'MSTORE', 2, 0, 3n, (frame) => {
    const offset = frame.pop()
    frame.expand(offset, 32n)
    frame.write(offset, wordBytes(frame.pop()))
  }),
  opcode(0x53, 'MSTORE8', 2, 0, 3n, (frame) => {
    const offset = frame.pop()
    frame.expand(offset, 1n)
    frame.write(offset, Uint8Array.of(Number(frame.pop() & 0xffn)))
  }),
  opcode(0x59, 'MSIZE', 0, 1, 2n, (frame) => frame.push(BigInt(frame.memorySize()))),
  opcode(
    0x5e,
    'MCOPY',
    3,
    0,
    3n,
    (frame) => {
      const [to, from, size] = [frame.pop(), frame.pop(), frame.pop()]
      frame.expand(to > from ? to : from, size)
      frame.charge(3n * wordsIn(size))
      frame.write(to, frame.read(from, size))
    },
    'cancun',
  ),
]
