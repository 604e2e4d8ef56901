import { opcodes as op } from '../../../src/evm/opcodes.ts'
import type { Random } from '../random.ts'
import { ending } from './endings.ts'
import type { Surroundings } from './surroundings.ts'
import { createWriter, emit, type PartChoice, popTo, push, type Writer } from './writer.ts'

/** Appends so many parts. */
export function parts(writer: Writer, count: number): void {
  for (let i = 0; i < count; i++) writer.random.weighted(writer.choices)(writer)
}

/** A part of the program of its own, after which the stack is as high as before. */
export function block(writer: Writer, count: number): void {
  const { floor, height } = writer
  writer.floor = height
  parts(writer, count)
  popTo(writer, height)
  writer.floor = floor
}

/** So many parts and an ending. */
export function partsToEnd(
  random: Random,
  around: Surroundings,
  choices: readonly PartChoice[],
  count: number,
): Uint8Array {
  const writer = createWriter(random, around, choices)
  parts(writer, count)
  if (random.percent(60)) keepStack(writer)
  ending(writer)
  return writer.asm.code()
}

/** Leaves the sum of all words where it can be seen: in memory, which may be returned, and perhaps in storage. */
function keepStack(writer: Writer): void {
  const { random } = writer
  while (writer.height > 1) emit(writer, op.ADD, 2, 1)
  if (writer.height === 0) return
  if (random.percent(40)) {
    emit(writer, op.DUP1, 0, 1)
    push(writer, 9n)
    emit(writer, op.SSTORE, 2, 0)
  }
  push(writer, 0n)
  emit(writer, op.MSTORE, 2, 0)
}
