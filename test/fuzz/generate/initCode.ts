import { opcodes as op } from '../../../src/evm/opcodes.ts'
import { since } from '../../../src/forks/rules.ts'
import type { Random } from '../random.ts'
import { ending } from './endings.ts'
import { parts, partsToEnd } from './parts.ts'
import type { Surroundings } from './surroundings.ts'
import { memorySize } from './values.ts'
import { createWriter, type PartChoice, push, type Writer } from './writer.ts'

/** Code that makes a contract: some work, then the contract's own code, or what is no code at all. */
export function initCode(random: Random, around: Surroundings, choices: readonly PartChoice[]): Uint8Array {
  const writer = createWriter(random, around, choices)
  parts(writer, random.below(8))
  random.weighted([
    [58, () => returnProgram(writer)],
    [17, () => ending(writer)],
    [5, () => returnMemory(writer, memorySize(random))],
    [5, () => returnMemory(writer, BigInt(24_576 + random.between(-1, 1)))],
    [5, () => returnFirstByte(writer, 0xef)],
    [5, () => returnFirstByte(writer, random.below(256))],
    [5, () => {}],
  ])()
  return writer.asm.code()
}

function returnProgram(writer: Writer): void {
  const { random, around, asm } = writer
  const code = partsToEnd(random, around, writer.choices, random.below(10))
  push(writer, BigInt(code.length))
  asm.pushLabel(asm.data(code))
  writer.height++
  push(writer, 0n)
  asm.op(op.CODECOPY)
  writer.height -= 3
  returnMemory(writer, BigInt(code.length))
}

function returnMemory(writer: Writer, size: bigint): void {
  push(writer, size)
  push(writer, 0n)
  writer.asm.op(op.RETURN)
  writer.height -= 2
}

function returnFirstByte(writer: Writer, byte: number): void {
  push(writer, BigInt(byte))
  push(writer, 0n)
  writer.asm.op(op.MSTORE8)
  writer.height -= 2
  returnMemory(writer, since(writer.around.rules, 'london') ? 3n : 1n)
}
