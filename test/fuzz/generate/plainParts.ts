import { opcodes as op } from '../../../src/evm/opcodes.ts'
import { since } from '../../../src/forks/rules.ts'
import type { ForkName } from '../../../src/forks/table.ts'
import { anyAddress } from './surroundings.ts'
import { interestingWord, memoryOffset, memorySize, slot, stored } from './values.ts'
import { emit, need, operand, type Part, type PartChoice, push, type Writer } from './writer.ts'

type OpList = readonly (readonly [byte: number, takes: number, since?: ForkName])[]

const pureOps: OpList = [
  ...[op.ADD, op.MUL, op.SUB, op.DIV, op.SDIV, op.MOD, op.SMOD, op.EXP, op.SIGNEXTEND].map(
    (byte) => [byte, 2] as const,
  ),
  ...[op.LT, op.GT, op.SLT, op.SGT, op.EQ, op.AND, op.OR, op.XOR, op.BYTE].map((byte) => [byte, 2] as const),
  [op.ADDMOD, 3],
  [op.MULMOD, 3],
  [op.ISZERO, 1],
  [op.NOT, 1],
  [op.SHL, 2, 'constantinople'],
  [op.SHR, 2, 'constantinople'],
  [op.SAR, 2, 'constantinople'],
  [op.CLZ, 1, 'osaka'],
  [op.CLZ, 1, 'osaka'],
  [op.CALLDATALOAD, 1],
  [op.BLOCKHASH, 1],
  [op.BLOBHASH, 1, 'cancun'],
]

const oldGetters = [
  ...[op.ADDRESS, op.ORIGIN, op.CALLER, op.CALLVALUE, op.CALLDATASIZE, op.CODESIZE, op.GASPRICE],
  ...[op.COINBASE, op.TIMESTAMP, op.NUMBER, op.DIFFICULTY, op.GASLIMIT, op.PC, op.MSIZE, op.GAS, op.GAS, op.GAS],
]

const getters: OpList = [
  ...oldGetters.map((byte) => [byte, 0] as const),
  [op.RETURNDATASIZE, 0, 'byzantium'],
  [op.CHAINID, 0, 'istanbul'],
  [op.SELFBALANCE, 0, 'istanbul'],
  [op.BASEFEE, 0, 'london'],
  [op.BLOBBASEFEE, 0, 'cancun'],
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

const indexedOps: OpList = [
  [op.SIGNEXTEND, 2],
  [op.BYTE, 2],
  [op.SHL, 2, 'constantinople'],
  [op.SHR, 2, 'constantinople'],
  [op.SAR, 2, 'constantinople'],
]

/** A byte or a bit of a word, near the word's ends. */
const indexed: Part = (writer) => {
  const { random } = writer
  const [byte] = pickOp(writer, indexedOps)
  need(writer, 1)
  push(writer, BigInt(random.percent(70) ? random.below(34) : random.between(248, 258)))
  emit(writer, byte, 2, 1)
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
  const swap = () => emit(writer, op.SWAP1 - 1 + random.between(1, Math.min(16, own - 1)), 0, 0)
  const pop = () => emit(writer, op.POP, 1, 0)
  const dup = () => emit(writer, op.DUP1 - 1 + random.between(1, Math.min(16, own)), 0, 1)
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
    emit(writer, op.MLOAD, 1, 1)
  }
  const hash = () => {
    push(writer, memorySize(random))
    push(writer, memoryOffset(random))
    emit(writer, op.KECCAK256, 2, 1)
  }
  const copy = (byte: number) => () => {
    push(writer, memorySize(random))
    push(writer, memoryOffset(random))
    push(writer, memoryOffset(random))
    emit(writer, byte, 3, 0)
  }
  const copies = [op.CALLDATACOPY, op.CODECOPY, ...(since(around.rules, 'cancun') ? [op.MCOPY, op.MCOPY] : [])]
  random.weighted([
    [30, store(op.MSTORE)],
    [10, store(op.MSTORE8)],
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
      emit(writer, op.RETURNDATASIZE, 0, 1)
      push(writer, 0n)
    } else {
      push(writer, BigInt(random.below(40)))
      push(writer, BigInt(random.below(40)))
    }
    push(writer, memoryOffset(random))
    emit(writer, op.RETURNDATACOPY, 3, 0)
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
  const choices = [
    load(op.SLOAD),
    store(op.SSTORE),
    store(op.SSTORE),
    ...(transient ? [load(op.TLOAD), store(op.TSTORE)] : []),
  ]
  random.pick(choices)()
}

/** Keeps the gas that is left where the comparison of states will see it. */
const keepGas: Part = (writer) => {
  emit(writer, op.GAS, 0, 1)
  push(writer, BigInt(writer.random.between(10, 13)))
  emit(writer, op.SSTORE, 2, 0)
}

/** Keeps a word of the stack likewise. */
const keepWord: Part = (writer) => {
  need(writer, 1)
  push(writer, BigInt(writer.random.between(4, 9)))
  emit(writer, op.SSTORE, 2, 0)
}

const log: Part = (writer) => {
  const { random } = writer
  const topics = random.below(5)
  for (let i = 0; i < topics; i++) operand(writer)
  push(writer, memorySize(random))
  push(writer, memoryOffset(random))
  emit(writer, op.LOG0 + topics, 2 + topics, 0)
}

const account: Part = (writer) => {
  const { random, around } = writer
  const hasHash = since(around.rules, 'constantinople')
  const byte = random.pick([op.BALANCE, op.EXTCODESIZE, ...(hasHash ? [op.EXTCODEHASH] : []), op.EXTCODECOPY])
  if (byte === op.EXTCODECOPY) {
    push(writer, memorySize(random))
    push(writer, memoryOffset(random))
    push(writer, memoryOffset(random))
  }
  push(writer, anyAddress(random, around))
  emit(writer, byte, byte === op.EXTCODECOPY ? 4 : 1, byte === op.EXTCODECOPY ? 0 : 1)
}

/** Fills the stack up to its end, a little less, or one more. */
const fill: Part = (writer) => {
  const { random, around, asm } = writer
  if (random.percent(90)) return
  operand(writer)
  const height = around.rules.stackSize + random.between(-8, 1)
  for (; writer.height < height; writer.height++) asm.op(op.DUP1)
}

/** Any byte at all; what it does to the stack is not known, so that anything may happen from here on. */
const stray: Part = (writer) => writer.asm.op(writer.random.below(256))

/** Parts without calls and jumps, with how often they are wanted. */
export const plainParts: readonly PartChoice[] = [
  [25, pure],
  [3, indexed],
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
