import * as layout from '../assembly/layout.ts'
import { opcodes } from '../opcodes.ts'
import type { Op } from '../opTables.ts'
import type { Block } from './blocks.ts'
import { createEmitter, wasm } from './emitter.ts'
import { indexOfFunction } from './engineImports.ts'
import { knownWord } from './limbs.ts'
import { plainOps } from './plainOps.ts'
import {
  createTraceWriter,
  frame,
  gas,
  sp,
  type TraceContext,
  type TraceWriter,
  traceSignature,
} from './traceWriter.ts'
import type { WasmFunction } from './wasmModule.ts'
import { minPosition, type Word, wordBytes } from './wordStack.ts'

export interface Trace extends WasmFunction {
  /** How many instructions of the EVM it has. */
  readonly size: number
}

const maxInstructions = 120
/** Of one block: the rest of a longer one is left to the interpreter. */
const maxBlockInstructions = 250
/** How often a trace may pass a block: helper functions are called from many places, but loops should not be unrolled. */
const maxPasses = 3

const { CALL, CALLCODE, DELEGATECALL, JUMP, JUMPI, RETURN, REVERT, STATICCALL, STOP } = opcodes

const callKinds = new Map<number, number>([
  [CALL, layout.KIND_CALL],
  [CALLCODE, layout.KIND_CALLCODE],
  [DELEGATECALL, layout.KIND_DELEGATECALL],
  [STATICCALL, layout.KIND_STATICCALL],
])

/**
 * Compiles the trace that begins with a block: it follows jumps to places that are known, and of the two ways of a JUMPI the
 * likely one, as long as it is short.
 */
export function compileTrace(start: number, first: Block, context: TraceContext): Trace {
  const { code } = context
  const writer = createTraceWriter(context)
  const passes = new Map<number, number>()
  let size = 0
  for (let block = first; ; ) {
    writer.owe(block.gas)
    size += block.instructions.length
    const next = writeBlock(writer, block)
    if (next === undefined) break
    const at = Math.min(next, code.length)
    const following = code.blockAt(at)
    const passed = passes.get(at) ?? 0
    if (!following || at === start || passed >= maxPasses || size > maxInstructions) {
      writer.leaveTo(at)
      break
    }
    passes.set(at, passed + 1)
    block = following
  }
  const { emitter } = writer
  return { locals: emitter.locals, body: [writeEntry(writer, start, first), emitter.bytes.written()], size }
}

/** Writes a block; returns where the trace goes on, or undefined if it ends. */
function writeBlock(writer: TraceWriter, { instructions, next }: Block): number | undefined {
  const { stack, context } = writer
  for (const [i, instruction] of instructions.entries()) {
    const { at, code: byte } = instruction
    const op = context.ops[byte]!
    const write = plainOps.get(byte)
    if (!stack.canTake(op.in) || i >= maxBlockInstructions) return void writer.leaveAt(at, instructions.slice(i))
    if (write) {
      write(writer, instruction, op)
      continue
    }
    if (byte === JUMP || byte === JUMPI) {
      const destination = stack.pop()
      const known = destination.limbs && knownWord(destination.limbs)
      if (known !== undefined && context.code.isJumpTarget(known))
        return byte === JUMP ? Number(known) : writeBranch(writer, Number(known), next)
      stack.push(destination)
      if (known === undefined && byte === JUMP) return void writeJump(writer, destination, at)
    } else if (writeFrameEnd(writer, byte, next, op)) return undefined
    return void writer.leaveAt(at, instructions.slice(i))
  }
  return next
}

/** Writes JUMPI; returns where the trace goes on. */
function writeBranch(writer: TraceWriter, target: number, next: number): number {
  const { emitter, stack, math, context } = writer
  const condition = math.anyBit(stack.popLimbs())
  if (typeof condition === 'bigint') return condition === 0n ? next : target
  // What fails is rare: the trace follows the other way.
  const jumps = context.code.isFailing(next)
  emitter.get(condition)
  emitter.emit(wasm.i64Eqz)
  if (!jumps) emitter.emit(wasm.i32Eqz)
  emitter.emit(wasm.if)
  writer.leaveTo(jumps ? next : target)
  emitter.emit(wasm.end)
  return jumps ? target : next
}

/** Ends the trace with JUMP to a place that is not known: to the trace there, if there is one. */
function writeJump(writer: TraceWriter, destination: Word, at: number): void {
  const { emitter, stack, math, context, address } = writer
  const { emit, get } = emitter
  const target = stack.limbsOf(destination)
  stack.settle(1)
  math.push(math.anyUpperBit(target))
  emit(wasm.i64Eqz)
  math.push(target[0])
  emitter.constI64(BigInt(context.code.length))
  emit(wasm.i64LtU, wasm.i32And, wasm.if)
  get(frame)
  emitter.loadI32(layout.R_TRACES)
  math.push(target[0])
  emit(wasm.i32WrapI64)
  emitter.constI32(1)
  emit(wasm.i32Shl, wasm.i32Add)
  emitter.loadU16(0)
  emitter.tee(address)
  emit(wasm.if)
  get(frame)
  writer.pushEnd(-1)
  writer.pushGas()
  get(address)
  emit(wasm.returnCallIndirect, wasm.end, wasm.end)
  writer.leaveAt(at, [])
}

/** Ends the trace with an opcode that ends or leaves the frame; false if it is another one. */
function writeFrameEnd(writer: TraceWriter, byte: number, next: number, op: Op): boolean {
  const { emitter, stack } = writer
  const kind = callKinds.get(byte)
  if (kind !== undefined) {
    stack.settle(op.in)
    writer.settleGas()
    emitter.constI32(kind)
    writer.pushEnd(-op.in)
    emitter.get(gas)
    emitter.constI32(next)
    writer.callEngine('callFrame')
    writer.takeGas()
    stack.replace(op.in, op.out)
    writer.leaveTo(next)
    return true
  }
  if (byte === STOP) {
    writer.pushGas()
    writer.callEngine('stopFrame')
  } else if (byte === RETURN || byte === REVERT) {
    stack.spill(op.in, 0)
    emitter.constI32(byte === RETURN ? layout.HALT_RETURN : layout.HALT_REVERT)
    writer.pushEnd(-op.in)
    writer.pushGas()
    writer.callEngine('endFrameWith')
  } else return false
  emitter.emit(wasm.return)
  return true
}

/** Returns the beginning of a trace: what may not go well all the way is left to the interpreter. */
function writeEntry({ stack, base, context }: TraceWriter, start: number, first: Block): Uint8Array {
  const { bytes, emit, get, constI32, constI64, loadI32, set, call } = createEmitter(traceSignature.params.length)
  get(gas)
  constI64(BigInt(first.gas))
  emit(wasm.i64LtS)
  get(sp)
  constI32(stack.needs * wordBytes)
  emit(wasm.i32Sub)
  get(frame)
  loadI32(layout.R_STACK)
  emit(wasm.i32LtU, wasm.i32Or)
  get(sp)
  constI32(stack.grows * wordBytes)
  emit(wasm.i32Add)
  get(frame)
  loadI32(layout.R_STACK)
  constI32(context.scheduleAt)
  loadI32(layout.S_STACK_SIZE)
  constI32(5)
  emit(wasm.i32Shl, wasm.i32Add, wasm.i32GtU, wasm.i32Or, wasm.if)
  get(sp)
  get(gas)
  constI32(start)
  call(indexOfFunction('leaveAtBlock'))
  emit(wasm.return, wasm.end)
  get(sp)
  constI32(minPosition * wordBytes)
  emit(wasm.i32Add)
  set(base)
  return bytes.written()
}
