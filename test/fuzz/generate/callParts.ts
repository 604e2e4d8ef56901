import { opcodes as op } from '../../../src/evm/opcodes.ts'
import { since } from '../../../src/forks/rules.ts'
import { maxU256 } from '../../../src/primitives/u256.ts'
import { initCode } from './initCode.ts'
import { precompileInput } from './precompileInput.ts'
import { anyAddress, anyPrecompile } from './surroundings.ts'
import { interestingWord, memoryOffset, memorySize, slot } from './values.ts'
import { emit, type Part, type PartChoice, push, type Writer } from './writer.ts'

/** Gas for a callee: all, a little, or more than there is. */
function pushGas(writer: Writer): void {
  const { random, around, asm } = writer
  const exact = [0, 1, 100, 699, 700, 2299, 2300, 2600, 5000, 9000, 21_000, 25_000, 40_000, 100_000]
  if (random.percent(45)) push(writer, BigInt(random.pick(exact)))
  else if (since(around.rules, 'tangerineWhistle')) {
    if (random.percent(15)) push(writer, random.percent(50) ? maxU256 : interestingWord(random))
    else emit(writer, op.GAS, 0, 1)
  } else {
    // What is left less the call's own price; before EIP-150 asking for more than there is fails.
    asm.push(BigInt(random.pick([100, 500, 2000, 10_000, 35_000, 36_000])))
    asm.op(op.GAS, op.SUB)
    writer.height++
  }
}

/** The callee: an address of the world, or one that is only known when the code runs. */
function pushCallee(writer: Writer): void {
  const { random, around } = writer
  const byCode = [op.ADDRESS, op.ORIGIN, op.CALLER, op.COINBASE]
  if (random.percent(15)) emit(writer, random.pick(byCode), 0, 1)
  else push(writer, anyAddress(random, around))
}

function pushValue(writer: Writer): void {
  const { random } = writer
  push(
    writer,
    random.weighted([
      [60, () => 0n],
      [35, () => BigInt(random.between(1, 20))],
      [5, () => interestingWord(random)],
    ])(),
  )
}

/** CALL, CALLCODE, DELEGATECALL or STATICCALL with input and callee as given; leaves what it answers. */
function call(writer: Writer, pushInput: () => void, pushTo: () => void): void {
  const { random, around } = writer
  const kinds: [number, number][] = [
    [50, op.CALL],
    [12, op.CALLCODE],
  ]
  if (since(around.rules, 'homestead') || random.percent(1)) kinds.push([20, op.DELEGATECALL])
  if (since(around.rules, 'byzantium') || random.percent(1)) kinds.push([18, op.STATICCALL])
  const byte = random.weighted(kinds)
  const hasValue = byte === op.CALL || byte === op.CALLCODE
  push(writer, memorySize(random))
  push(writer, memoryOffset(random))
  pushInput()
  if (hasValue) pushValue(writer)
  pushTo()
  pushGas(writer)
  emit(writer, byte, hasValue ? 7 : 6, 1)
  lookAtReturnData(writer)
}

/** Asks for the size of what came back, and perhaps for all of it. */
function lookAtReturnData(writer: Writer): void {
  const { random, around } = writer
  if (!since(around.rules, 'byzantium') || random.percent(65)) return
  emit(writer, op.RETURNDATASIZE, 0, 1)
  if (random.percent(50)) return
  push(writer, 0n)
  push(writer, memoryOffset(random))
  emit(writer, op.RETURNDATACOPY, 3, 0)
}

const callAccount: Part = (writer) => {
  const { random } = writer
  const pushInput = () => {
    push(writer, memorySize(random))
    push(writer, memoryOffset(random))
  }
  call(writer, pushInput, () => pushCallee(writer))
}

/** Copies data that lie behind the code into memory. */
function copyIn(writer: Writer, data: Uint8Array, to: bigint): void {
  push(writer, BigInt(data.length))
  writer.asm.pushLabel(writer.asm.data(data))
  writer.height++
  push(writer, to)
  emit(writer, op.CODECOPY, 3, 0)
}

const callPrecompile: Part = (writer) => {
  const { random } = writer
  const address = anyPrecompile(random)
  const input = precompileInput(random, address)
  copyIn(writer, input, 0n)
  const pushInput = () => {
    push(writer, BigInt(input.length))
    push(writer, 0n)
  }
  call(writer, pushInput, () => push(writer, address))
}

function initCodeSize({ random, around }: Writer, code: Uint8Array): bigint {
  return random.weighted([
    [95, () => BigInt(code.length)],
    [2, () => memorySize(random)],
    [3, () => 2n * BigInt(Math.min(around.rules.maxCodeSize, 24_576)) + BigInt(random.below(2))],
  ])()
}

/** CREATE or CREATE2; what was made is called, more often than not. */
const create: Part = (writer) => {
  const { random, around } = writer
  if (around.nesting >= 2) return
  const code = initCode(random, { ...around, nesting: around.nesting + 1 }, writer.choices)
  copyIn(writer, code, 0n)
  const salted = since(around.rules, 'constantinople') && random.percent(50)
  if (salted) push(writer, slot(random))
  push(writer, initCodeSize(writer, code))
  push(writer, random.percent(97) ? 0n : memoryOffset(random))
  pushValue(writer)
  emit(writer, salted ? op.CREATE2 : op.CREATE, salted ? 4 : 3, 1)
  const depth = writer.height
  lookAtReturnData(writer)
  if (random.percent(60)) {
    const pushInput = () => {
      push(writer, memorySize(random))
      push(writer, memoryOffset(random))
    }
    call(writer, pushInput, () => emit(writer, op.DUP1 + writer.height - depth, 0, 1))
  }
}

/** Parts that call and create. */
export const callParts: readonly PartChoice[] = [
  [12, callAccount],
  [4, callPrecompile],
  [4, create],
]
