import { since } from '../../../src/forks/rules.ts'
import type { ForkName } from '../../../src/forks/table.ts'
import { anyAddress } from './surroundings.ts'
import { interestingWord, memoryOffset, memorySize, slot, stored } from './values.ts'
import { emit, need, operand, type Part, type PartChoice, push, type Writer } from './writer.ts'

type OpList = readonly (readonly [byte: number, takes: number, since?: ForkName])[]

const pureOps: OpList = [
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b].map((byte) => [byte, 2] as const),
  ...[0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a].map((byte) => [byte, 2] as const),
  [0x08, 3],
  [0x09, 3],
  [0x15, 1],
  [0x19, 1],
  [0x1b, 2, 'constantinople'],
  [0x1c, 2, 'constantinople'],
  [0x1d, 2, 'constantinople'],
  [0x1e, 1, 'osaka'],
  [0x35, 1],
  [0x40, 1],
  [0x49, 1, 'cancun'],
]

const getters: OpList = [
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x41, 0x42, 0x43, 0x44, 0x45].map((byte) => [byte, 0] as const),
  ...[0x58, 0x59, 0x5a, 0x5a, 0x5a].map((byte) => [byte, 0] as const),
  [0x3d, 0, 'byzantium'],
  [0x46, 0, 'istanbul'],
  [0x47, 0, 'istanbul'],
  [0x48, 0, 'london'],
  [0x4a, 0, 'cancun'],
]

/** One of the list, as a rule one that the fork has. */
function pickOp({ random, around }: Writer, list: OpList): readonly [byte: number, takes: number] {
  const known = list.filter(([, , fork]) => fork === undefined || since(around.rules, fork))
  const [byte, takes] = random.pick(random.percent(99) ? known : list)
  return [byte, takes]
}

const pure: Part = (writer) => {
  const [byte, takes] = pickOp(writer, pureOps)
  need(writer, takes)
  emit(writer, byte, takes, 1)
}

const getter: Part = (writer) => {
  const [byte] = pickOp(writer, getters)
  emit(writer, byte, 0, 1)
}

const constant: Part = (writer) => push(writer, interestingWord(writer.random))

const shuffle: Part = (writer) => {
  const { random, floor } = writer
  const own = writer.height - floor
  if (own < 2) {
    operand(writer)
    return
  }
  const swap = () => emit(writer, 0x8f + random.between(1, Math.min(16, own - 1)), 0, 0)
  const pop = () => emit(writer, 0x50, 1, 0)
  const dup = () => emit(writer, 0x7f + random.between(1, Math.min(16, own)), 0, 1)
  random.pick([swap, pop, dup])()
}

const memory: Part = (writer) => {
  const { random, around } = writer
  const store = (byte: number) => () => {
    need(writer, 1)
    push(writer, memoryOffset(random))
    emit(writer, byte, 2, 0)
  }
  const load = () => {
    push(writer, memoryOffset(random))
    emit(writer, 0x51, 1, 1)
  }
  const hash = () => {
    push(writer, memorySize(random))
    push(writer, memoryOffset(random))
    emit(writer, 0x20, 2, 1)
  }
  const copy = (byte: number) => () => {
    push(writer, memorySize(random))
    push(writer, memoryOffset(random))
    push(writer, memoryOffset(random))
    emit(writer, byte, 3, 0)
  }
  const copies = [0x37, 0x39, ...(since(around.rules, 'cancun') ? [0x5e, 0x5e] : [])]
  random.weighted([
    [30, store(0x52)],
    [10, store(0x53)],
    [15, load],
    [15, hash],
    [20, copy(random.pick(copies))],
    [10, returnDataCopy(writer)],
  ])()
}

/** All of the return data, or a range that may lie outside. */
function returnDataCopy(writer: Writer): () => void {
  const { random } = writer
  return () => {
    if (!since(writer.around.rules, 'byzantium')) return
    if (random.percent(80)) {
      emit(writer, 0x3d, 0, 1)
      push(writer, 0n)
    } else {
      push(writer, BigInt(random.below(40)))
      push(writer, BigInt(random.below(40)))
    }
    push(writer, memoryOffset(random))
    emit(writer, 0x3e, 3, 0)
  }
}

const storage: Part = (writer) => {
  const { random, around } = writer
  const load = (byte: number) => () => {
    push(writer, slot(random))
    emit(writer, byte, 1, 1)
  }
  const store = (byte: number) => () => {
    if (random.percent(65)) push(writer, stored(random))
    else need(writer, 1)
    push(writer, slot(random))
    emit(writer, byte, 2, 0)
  }
  const transient = since(around.rules, 'cancun') || random.percent(1)
  const choices = [load(0x54), store(0x55), store(0x55), ...(transient ? [load(0x5c), store(0x5d)] : [])]
  random.pick(choices)()
}

/** Keeps the gas that is left where the comparison of states will see it. */
const keepGas: Part = (writer) => {
  emit(writer, 0x5a, 0, 1)
  push(writer, BigInt(writer.random.between(10, 13)))
  emit(writer, 0x55, 2, 0)
}

/** Keeps a word of the stack likewise. */
const keepWord: Part = (writer) => {
  need(writer, 1)
  push(writer, BigInt(writer.random.between(4, 9)))
  emit(writer, 0x55, 2, 0)
}

const log: Part = (writer) => {
  const { random } = writer
  const topics = random.below(5)
  for (let i = 0; i < topics; i++) operand(writer)
  push(writer, memorySize(random))
  push(writer, memoryOffset(random))
  emit(writer, 0xa0 + topics, 2 + topics, 0)
}

const account: Part = (writer) => {
  const { random, around } = writer
  const hasHash = since(around.rules, 'constantinople')
  const byte = random.pick([0x31, 0x3b, ...(hasHash ? [0x3f] : []), 0x3c])
  if (byte === 0x3c) {
    push(writer, memorySize(random))
    push(writer, memoryOffset(random))
    push(writer, memoryOffset(random))
  }
  push(writer, anyAddress(random, around))
  emit(writer, byte, byte === 0x3c ? 4 : 1, byte === 0x3c ? 0 : 1)
}

/** Fills the stack up to its end, a little less, or one more. */
const fill: Part = (writer) => {
  const { random, around, asm } = writer
  if (random.percent(90)) return
  operand(writer)
  const height = around.rules.stackSize + random.between(-8, 1)
  for (; writer.height < height; writer.height++) asm.op(0x80)
}

/** Any byte at all; what it does to the stack is not known, so that anything may happen from here on. */
const stray: Part = (writer) => writer.asm.op(writer.random.below(256))

/** Parts without calls and jumps, with how often they are wanted. */
export const plainParts: readonly PartChoice[] = [
  [26, pure],
  [9, getter],
  [6, constant],
  [8, shuffle],
  [16, memory],
  [14, storage],
  [4, keepGas],
  [5, keepWord],
  [4, log],
  [6, account],
  [1, stray],
  [1, fill],
]
