import { opcodes as op } from '../../../src/evm/opcodes.ts'
import { since } from '../../../src/forks/rules.ts'
import type { Random } from '../random.ts'
import { type Assembler, createAssembler } from './assembler.ts'
import type { Surroundings } from './surroundings.ts'
import { interestingWord } from './values.ts'

/** A program in the making, which knows how many words will be on the stack. */
export interface Writer {
  readonly random: Random
  readonly around: Surroundings
  readonly asm: Assembler
  /** Words on the stack now, and how many of them belong to what is around this part. */
  height: number
  floor: number
  /** What the program may be made of. */
  readonly choices: readonly PartChoice[]
}

/** A piece of program that leaves the stack no lower than the writer's floor. */
export type Part = (writer: Writer) => void

export type PartChoice = readonly [weight: number, part: Part]

export function createWriter(random: Random, around: Surroundings, choices: readonly PartChoice[]): Writer {
  return { random, around, asm: createAssembler(), height: 0, floor: 0, choices }
}

/** An opcode that takes and gives so many words. */
export function emit(writer: Writer, byte: number, takes: number, gives: number): void {
  writer.asm.op(byte)
  writer.height += gives - takes
}

export function push(writer: Writer, value: bigint): void {
  const { random, asm } = writer
  if (value === 0n && since(writer.around.rules, 'shanghai') && random.percent(60)) asm.op(op.PUSH0)
  else asm.push(value, random.percent(5) ? random.between(1, 32) : undefined)
  writer.height++
}

/** A word from the stack if there is one to use up, a copy of one, or a new one. */
export function operand(writer: Writer): void {
  const { random, asm, height, floor } = writer
  const own = height - floor
  if (own > 0 && random.percent(40)) {
    asm.op(op.DUP1 - 1 + random.between(1, Math.min(16, own)))
    writer.height++
  } else push(writer, interestingWord(random))
}

/** Makes sure that so many of the part's own words are on the stack. */
export function need(writer: Writer, words: number): void {
  while (writer.height - writer.floor < words) operand(writer)
  if (writer.random.percent(30)) for (let i = 0; i < words; i++) operand(writer)
}

/** Brings the stack back to a height by POP. */
export function popTo(writer: Writer, height: number): void {
  while (writer.height > height) emit(writer, op.POP, 1, 0)
}
