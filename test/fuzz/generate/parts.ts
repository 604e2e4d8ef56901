import type { Random } from '../random.ts'
import { ending } from './endings.ts'
import type { Surroundings } from './surroundings.ts'
import { createWriter, type PartChoice, popTo, type Writer } from './writer.ts'

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
  ending(writer)
  return writer.asm.code()
}
