import { since } from '../../../src/forks/rules.ts'
import { anyAddress } from './surroundings.ts'
import { memoryOffset, memorySize } from './values.ts'
import { emit, type Part, push } from './writer.ts'

/** Something that ends the frame. */
export const ending: Part = (writer) => {
  const { random, around, asm } = writer
  const withMemory = (byte: number) => () => {
    push(writer, memorySize(random))
    push(writer, memoryOffset(random))
    emit(writer, byte, 2, 0)
  }
  const selfdestruct = () => {
    if (random.percent(20)) emit(writer, 0x30, 0, 1)
    else push(writer, anyAddress(random, around))
    emit(writer, 0xff, 1, 0)
  }
  random.weighted([
    [25, () => asm.op(0x00)],
    [40, withMemory(0xf3)],
    [15, withMemory(since(around.rules, 'byzantium') ? 0xfd : 0xf3)],
    [12, selfdestruct],
    [3, () => asm.op(0xfe)],
    [5, () => {}],
  ])()
}
