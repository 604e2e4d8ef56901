import { type Halt, halts, isSuccess } from '../../evm/message.ts'
import { opcodes } from '../../evm/opcodes.ts'
import { type OpTable, opTableOf } from '../../evm/opTables.ts'
import type { FrameEnter, Step, StepEnd, Tracer } from '../../evm/tracer.ts'
import type { Rules } from '../../forks/rules.ts'
import { depositFailure, namedCost, namedHalt, precompileCost } from './besuFrame.ts'
import type { ByteLog } from './byteLog.ts'
import { isCall, type MemoryPlace, outputPlace, writesMemory, writtenPlace } from './memoryPlace.ts'

/** Kinds of records; the upper bits of their first byte are flags. */
export const kinds = { step: 0, end: 1, enter: 2, exit: 3, fail: 4, returned: 5, virtual: 6 } as const
export const stepFlags = { pc: 8, gas: 16 } as const
export const endFlags = { size: 8, write: 16, storage: 32, reason: 64 } as const

/** What steps are to tell of. */
export interface StepOptions {
  readonly stack: boolean
  readonly memory: boolean
  readonly storage: boolean
}

/** A frame, with what a reader of the log expects of its next step. */
interface Frame {
  readonly enter: FrameEnter
  readonly isStatic: boolean
  op: number
  pc: number
  gas: number
  words: number
  output: MemoryPlace | undefined
}

const { SSTORE, PUSH0, PUSH1, PUSH32, DUP1, SWAP16, CREATE, CALL, CALLCODE, RETURN, CREATE2, REVERT } = opcodes
const isCreate = (op: number) => op === CREATE || op === CREATE2

/** Words that a step brings onto the stack: those of DUP and SWAP are there already. */
export function newWords(ops: OpTable): readonly number[] {
  return Array.from({ length: 256 }, (_, op) => (op >= DUP1 && op <= SWAP16 ? 0 : (ops[op]?.out ?? 0)))
}

const markOf = (halt: Halt | undefined) => (halt === undefined ? 0 : halts.indexOf(halt) + 1)

/** Bytes of code that an opcode takes. */
export function sizeOf(op: number): number {
  return op >= PUSH1 && op <= PUSH32 ? 1 + op - PUSH0 : 1
}

/**
 * Writes down what each step changed, in a few bytes a step: the stack before it, and memory and storage after it, are
 * put together again by the reader of the log.
 */
export function createStepLog(rules: Rules, log: ByteLog, options: StepOptions): Tracer {
  const out = newWords(opTableOf(rules))
  const frames: Frame[] = []
  let place: MemoryPlace | undefined
  let top = 0n
  let second = 0n
  /** Where the error of the last step that is no RETURN stands. */
  let markedChunk = log.chunk
  let markedAt = -1
  /** A creation was begun; one that meets another contract has no frame. */
  let creating = false
  /** Where the size of memory after a call stands, and what it is if the call has no frame. */
  let calling: { readonly chunk: Buffer; readonly at: number; readonly words: number } | undefined
  /** What the last RETURN left behind. */
  let returned = { gas: 0n, bytes: 0 }
  let steps = 0
  /** Words up to the end of a call's input. */
  let inputEnd = 0

  /** Says that the last step that is no RETURN has failed after all. */
  function mark(halt: Halt): void {
    if (markedAt >= 0) markedChunk[markedAt] = markOf(halt)
  }

  function byte(value: number): void {
    log.chunk[log.at++] = value
  }

  function u32(value: number): void {
    log.at = log.chunk.writeUInt32LE(value, log.at)
  }

  function varint(value: number): void {
    while (value >= 128) {
      byte((value % 128) | 128)
      value = Math.floor(value / 128)
    }
    byte(value)
  }

  /** Big-endian, without leading zeros, from a little-endian word. */
  function word(words: Uint8Array, at: number): void {
    let length = 32
    while (length > 0 && words[at + length - 1] === 0) length--
    byte(length)
    for (let i = length - 1; i >= 0; i--) byte(words[at + i]!)
  }

  function bytes(offset: number, from: Uint8Array): void {
    u32(offset)
    u32(from.length)
    log.chunk.set(from, log.at)
    log.at += from.length
  }

  function begin(step: Step, frame: Frame): void {
    const { op, pc } = step
    const gas = Number(step.gas)
    const count = frame.op < 0 || !options.stack ? 0 : out[frame.op]!
    log.ensure(16 + 33 * count)
    const flags = (pc === frame.pc ? 0 : stepFlags.pc) | (gas === frame.gas ? 0 : stepFlags.gas)
    byte(kinds.step | flags)
    byte(op)
    if (flags & stepFlags.pc) u32(pc)
    if (flags & stepFlags.gas) log.at = log.chunk.writeDoubleLE(gas, log.at)
    if (count > 0) {
      const words = step.stackWindow()
      for (let at = words.length - 32 * count; at < words.length; at += 32) word(words, at)
    }
    frame.op = op
    frame.pc = pc + sizeOf(op)
    frame.gas = gas
  }

  /** Words of memory that Besu shows: those that a call is to leave its output in come only with it. */
  function wordsAfter(step: StepEnd, frame: Frame): number {
    if (step.error !== undefined) return frame.words
    if (!isCall(step.op)) return step.memorySize >>> 5
    return Math.min(step.memorySize >>> 5, Math.max(frame.words, inputEnd))
  }

  /** Mends the record of a call or creation that turns out to have no frame. */
  function settleUnmade(): void {
    if (creating) mark('outOfGas')
    creating = false
    if (!calling) return
    calling.chunk.writeUInt32LE(calling.words, calling.at)
    frames.at(-1)!.words = calling.words
    calling = undefined
  }

  function finish(step: StepEnd, frame: Frame): void {
    const { op, error } = step
    const well = error === undefined
    const cost = well ? Number(step.cost) - Number(step.passedGas) : Number(namedCost(step, BigInt(frame.gas)))
    const words = options.memory ? wordsAfter(step, frame) : 0
    const waits = options.memory && well && isCall(op) && words !== step.memorySize >>> 5
    const write = options.memory && well && place && !isCall(op) && place.length > 0n ? place : undefined
    const stores = options.storage && well && op === SSTORE
    const reason = well && op === REVERT ? step.memoryWindow().slice(Number(top), Number(top + second)) : undefined
    const flags =
      (words === frame.words && !waits ? 0 : endFlags.size) |
      (write ? endFlags.write : 0) |
      (stores ? endFlags.storage : 0) |
      (reason ? endFlags.reason : 0)
    log.ensure(104 + (write ? Number(write.length) : 0) + (reason ? reason.length : 0))
    byte(kinds.end | flags)
    if (op === RETURN) returned = { gas: BigInt(frame.gas - cost), bytes: Number(second) }
    else {
      markedChunk = log.chunk
      markedAt = log.at
    }
    byte(markOf(namedHalt(step, frame.isStatic)))
    creating = isCreate(op) && step.passedGas > 0n
    varint(cost)
    if (waits) calling = { chunk: log.chunk, at: log.at, words: step.memorySize >>> 5 }
    if (flags & endFlags.size) u32((frame.words = words))
    if (write) {
      const at = Number(write.offset)
      bytes(at, step.memoryWindow().subarray(at, at + Number(write.length)))
    }
    if (stores) {
      log.at += log.chunk.write(top.toString(16).padStart(64, '0'), log.at, 'hex')
      log.at += log.chunk.write(second.toString(16).padStart(64, '0'), log.at, 'hex')
    }
    if (reason) bytes(0, reason)
    frame.gas -= cost
    if (isCall(op)) frame.output = place
  }

  function virtual(isStop: boolean, depth: number, gas: bigint): void {
    log.ensure(16)
    byte(kinds.virtual)
    byte(isStop ? 1 : 0)
    byte(depth & 255)
    byte(depth >> 8)
    log.at = log.chunk.writeDoubleLE(Number(gas), log.at)
    steps++
  }

  return {
    onStep(step) {
      const { op } = step
      settleUnmade()
      const call = isCall(op)
      place = undefined
      if (options.memory) {
        if (call) {
          place = outputPlace(step)
          const at = op === CALL || op === CALLCODE ? 3 : 2
          const length = step.peek(at + 1) ?? 0n
          const end = (step.peek(at) ?? 0n) + length
          inputEnd = length > 0n && end < 0xffffffffn ? Math.ceil(Number(end) / 32) : 0
        } else if (writesMemory[op]) place = writtenPlace(step)
      }
      if (op === SSTORE || op === REVERT || op === RETURN) {
        top = step.peek(0) ?? 0n
        second = step.peek(1) ?? 0n
      }
      steps++
      begin(step, frames.at(-1)!)
    },
    onStepEnd: (step) => finish(step, frames.at(-1)!),
    onEnter(enter) {
      const { kind, runs, depth, from, to, gas } = enter
      creating = false
      calling = undefined
      const isStatic = kind === 'STATICCALL' || (frames.at(-1)?.isStatic ?? false)
      frames.push({ enter, isStatic, op: -1, pc: 0, gas: -1, words: 0, output: undefined })
      if (kind === 'SELFDESTRUCT') return
      log.ensure(24)
      byte(kinds.enter)
      const owner = kind === 'DELEGATECALL' || kind === 'CALLCODE' ? from : to
      log.chunk.set(owner, log.at)
      log.at += 20
      if (runs === 'nothing') virtual(true, depth, gas)
    },
    onExit(exit) {
      settleUnmade()
      const { halt, output } = exit
      const { enter } = frames.pop()!
      if (enter.kind === 'SELFDESTRUCT') return
      const { runs, kind, depth, gas } = enter
      if (runs === 'precompile' && steps === 0 && halt !== 'outOfGas')
        virtual(false, depth, gas - precompileCost(enter, exit, rules))
      const failure = depositFailure(halt, returned.gas, returned.bytes)
      if (failure) mark(failure)
      log.ensure(16)
      byte(isSuccess(halt) ? kinds.exit : kinds.fail)
      const caller = frames.at(-1)
      if (!caller?.output || kind === 'CREATE' || kind === 'CREATE2') return
      const { offset, length } = caller.output
      const size = length < BigInt(output.length) ? Number(length) : output.length
      if (size === 0) return
      log.ensure(16 + size)
      byte(kinds.returned)
      bytes(Number(offset), output.subarray(0, size))
    },
  }
}
