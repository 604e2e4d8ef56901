import * as layout from '../assembly/layout.ts'
import { opcodes } from '../opcodes.ts'
import type { Op } from '../opTables.ts'
import type { Instruction } from './blocks.ts'
import { keep, wasm } from './emitter.ts'
import { type EngineGlobal, type EngineOp, engineOps, indexOfGlobal } from './engineImports.ts'
import { knownWord, type Limbs, type WordMath } from './limbs.ts'
import { loadMemory, storeMemory } from './memoryOps.ts'
import { frame, gas, type TraceWriter } from './traceWriter.ts'

/** Writes an opcode after which the next one follows. */
type WriteOp = (writer: TraceWriter, instruction: Instruction, op: Op) => void

const o = opcodes

function two(compute: (math: WordMath, a: Limbs, b: Limbs) => Limbs): WriteOp {
  return ({ math, stack }) => {
    const a = stack.popLimbs()
    stack.pushLimbs(compute(math, a, stack.popLimbs()))
  }
}

/** A shift by what is known; the engine's function runs any other. */
function shift(compute: (math: WordMath, a: Limbs, bits: number) => Limbs): WriteOp {
  return (writer, instruction, op) => {
    const { stack, math } = writer
    const by = stack.pop()
    const bits = by.limbs && knownWord(by.limbs)
    if (bits !== undefined && bits < 256n) {
      stack.pushLimbs(compute(math, stack.popLimbs(), Number(bits)))
      return
    }
    stack.push(by)
    writeEngineOp(writer, op, engineOps.get(instruction.code)!)
  }
}

/** The word at an address that is on WebAssembly's stack, with an offset. */
function loaded(pushAddress: (writer: TraceWriter) => void, offset: number): WriteOp {
  return (writer) => {
    const load = (i: number) => {
      pushAddress(writer)
      writer.emitter.loadI64(offset + 8 * i)
      return keep(writer.emitter)
    }
    writer.stack.pushLimbs([load(0), load(1), load(2), load(3)])
  }
}

const inFrame = (offset: number) => loaded(({ emitter }) => emitter.get(frame), offset)
const inEnvironment = (offset: number) =>
  loaded(({ emitter, context }) => emitter.constI32(context.environmentAt), offset)

function sizeIn(name: EngineGlobal): WriteOp {
  return ({ emitter, stack }) => {
    emitter.getGlobal(indexOfGlobal(name))
    emitter.emit(wasm.i64ExtendI32U)
    stack.pushLimbs([keep(emitter), 0n, 0n, 0n])
  }
}

function writeEngineOp(writer: TraceWriter, op: Op, { fn, operands, usesGas, before }: EngineOp): void {
  const { emitter, stack } = writer
  const { in: taken, out: left } = op
  stack.spill(taken, left)
  const lowest = stack.top - taken
  if (usesGas) writer.checkGas()
  if (before !== undefined) emitter.constI32(before)
  if (operands !== 'operands') stack.pushAddress(lowest)
  if (operands !== 'lowest') for (let i = taken - 1; i >= 0; i--) stack.pushAddress(lowest + i)
  if (usesGas) emitter.get(gas)
  writer.callEngine(fn)
  if (usesGas) writer.takeGas()
  stack.replace(taken, left)
}

const pushes: WriteOp = ({ stack }, { value }) => stack.pushKnown(value)
const numbered = (first: number, count: number, write: (n: number) => WriteOp): [number, WriteOp][] =>
  Array.from({ length: count }, (_, i) => [first + i, write(i + 1)])

/** Opcodes after which the next one follows, by their byte. All others are jumps, end a frame, or are left to the interpreter. */
export const plainOps: ReadonlyMap<number, WriteOp> = new Map<number, WriteOp>([
  ...[...engineOps].map(([byte, engineOp]): [number, WriteOp] => [
    byte,
    (writer, _, op) => writeEngineOp(writer, op, engineOp),
  ]),
  ...numbered(o.PUSH0, 33, () => pushes),
  ...numbered(
    o.DUP1,
    16,
    (n) =>
      ({ stack }) =>
        stack.duplicate(n),
  ),
  ...numbered(
    o.SWAP1,
    16,
    (n) =>
      ({ stack }) =>
        stack.exchange(n),
  ),
  [o.JUMPDEST, () => {}],
  [o.POP, ({ stack }) => void stack.pop()],
  [o.ADD, two((math, a, b) => math.add(a, b))],
  [o.SUB, two((math, a, b) => math.subtract(a, b))],
  [o.LT, two((math, a, b) => math.less(a, b))],
  [o.GT, two((math, a, b) => math.less(b, a))],
  [o.SLT, two((math, a, b) => math.signedLess(a, b))],
  [o.SGT, two((math, a, b) => math.signedLess(b, a))],
  [o.EQ, two((math, a, b) => math.equal(a, b))],
  [o.AND, two((math, a, b) => math.and(a, b))],
  [o.OR, two((math, a, b) => math.or(a, b))],
  [o.XOR, two((math, a, b) => math.xor(a, b))],
  [o.ISZERO, ({ math, stack }) => stack.pushLimbs(math.isZero(stack.popLimbs()))],
  [o.NOT, ({ math, stack }) => stack.pushLimbs(math.not(stack.popLimbs()))],
  [o.SHL, shift((math, a, bits) => math.shiftLeft(a, bits))],
  [o.SHR, shift((math, a, bits) => math.shiftRight(a, bits))],
  [o.MLOAD, loadMemory],
  [o.MSTORE, storeMemory],
  [o.ADDRESS, inFrame(layout.R_SELF)],
  [o.CALLER, inFrame(layout.R_CALLER)],
  [o.CALLVALUE, inFrame(layout.R_VALUE)],
  [o.ORIGIN, inEnvironment(layout.E_ORIGIN)],
  [o.GASPRICE, inEnvironment(layout.E_GAS_PRICE)],
  [o.COINBASE, inEnvironment(layout.E_COINBASE)],
  [o.TIMESTAMP, inEnvironment(layout.E_TIMESTAMP)],
  [o.NUMBER, inEnvironment(layout.E_NUMBER)],
  [o.CHAINID, inEnvironment(layout.E_CHAIN_ID)],
  [o.CALLDATASIZE, sizeIn('dataLength')],
  [o.RETURNDATASIZE, sizeIn('returnLength')],
  [o.MSIZE, sizeIn('memoryBytes')],
  [o.CODESIZE, ({ stack, context }) => stack.pushKnown(BigInt(context.code.length))],
  [o.PC, ({ stack }, { at }) => stack.pushKnown(BigInt(at))],
  [
    o.GAS,
    ({ emitter, stack, settleGas }) => {
      settleGas()
      emitter.get(gas)
      stack.pushLimbs([keep(emitter), 0n, 0n, 0n])
    },
  ],
])
