import { opcodes as op } from '../../../src/evm/opcodes.ts'
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
    if (random.percent(20)) emit(writer, op.ADDRESS, 0, 1)
    else push(writer, anyAddress(random, around))
    emit(writer, op.SELFDESTRUCT, 1, 0)
  }
  random.weighted([
    [25, () => asm.op(op.STOP)],
    [40, withMemory(op.RETURN)],
    [15, withMemory(since(around.rules, 'byzantium') || random.percent(5) ? op.REVERT : op.RETURN)],
    [12, selfdestruct],
    [3, () => asm.op(op.INVALID)],
    [5, () => {}],
  ])()
}
