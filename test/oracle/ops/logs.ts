import { Halt } from '../halt.ts'
import { type Opcode, opcode } from '../opcode.ts'
import { addressBytes, wordBytes } from '../words.ts'

/** LOG0 … LOG4. */
export const logs: readonly Opcode[] = [0, 1, 2, 3, 4].map((count) =>
  opcode(0xa0 + count, `LOG${count}`, 2 + count, 0, 375n + 375n * BigInt(count), (frame, { world }) => {
    if (frame.isStatic) throw new Halt('static violation')
    const offset = frame.pop()
    const size = frame.pop()
    const topics = Array.from({ length: count }, () => wordBytes(frame.pop()))
    frame.expand(offset, size)
    frame.charge(8n * size)
    world.addLog({ address: addressBytes(frame.address), topics, data: frame.read(offset, size) })
  }),
)
