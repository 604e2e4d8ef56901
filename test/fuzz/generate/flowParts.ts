import { opcodes as op } from '../../../src/evm/opcodes.ts'
import { ending } from './endings.ts'
import { block } from './parts.ts'
import { interestingWord } from './values.ts'
import { emit, need, type Part, type PartChoice, push } from './writer.ts'

const condition: Part = (writer) => {
  const { random, asm } = writer
  const after = { position: undefined }
  need(writer, 1)
  asm.pushLabel(after)
  asm.op(op.JUMPI)
  writer.height--
  block(writer, random.between(1, 4))
  asm.place(after)
}

/** A few rounds, counted down on the stack. */
const loop: Part = (writer) => {
  const { random, asm } = writer
  const start = { position: undefined }
  push(
    writer,
    BigInt(
      random.weighted([
        [95, random.between(1, 5)],
        [4, random.between(6, 60)],
        [1, 2000],
      ]),
    ),
  )
  asm.place(start)
  block(writer, random.between(1, 4))
  asm.push(1n)
  asm.op(op.SWAP1, op.SUB, op.DUP1)
  asm.pushLabel(start)
  asm.op(op.JUMPI)
}

/** A jump to where the stack says, or back to the start, or somewhere near. */
const wildJump: Part = (writer) => {
  const { random, asm } = writer
  const target = random.weighted([
    [4, () => BigInt(random.below(asm.size() + 10))],
    [2, () => 0n],
    [2, () => interestingWord(random)],
  ])()
  if (random.percent(20)) {
    push(writer, target)
    emit(writer, op.JUMP, 1, 0)
  } else {
    need(writer, 1)
    push(writer, target)
    emit(writer, op.JUMPI, 2, 0)
  }
  if (random.percent(50)) asm.op(op.JUMPDEST)
}

/** An end that only some runs come to. */
const endingIf: Part = (writer) => {
  const { asm } = writer
  const after = { position: undefined }
  need(writer, 1)
  asm.pushLabel(after)
  asm.op(op.JUMPI)
  writer.height--
  const { height } = writer
  ending(writer)
  writer.height = height
  asm.place(after)
}

/** Parts that jump. */
export const flowParts: readonly PartChoice[] = [
  [4, condition],
  [3, loop],
  [1, wildJump],
  [1, endingIf],
]
