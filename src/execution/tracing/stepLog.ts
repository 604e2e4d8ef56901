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

/** What is logged of each step. */
export interface StepOptions {
  readonly stack: boolean
  readonly memory: boolean
  readonly storage: boolean
  /** Steps that are logged at most; absent or 0 logs all. */
  readonly limit?: number
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

/** Writes each step down as few bytes as it can, while the transaction runs. */
class StepLog implements Tracer {
  private readonly rules: Rules
  private readonly log: ByteLog
  private readonly options: StepOptions
  private readonly out: readonly number[]
  private readonly frames: Frame[] = []
  private place: MemoryPlace | undefined
  private top = 0n
  private second = 0n
  /** Where the error of the last step that is no RETURN stands. */
  private markedChunk: Buffer<ArrayBufferLike>
  private markedAt = -1
  /** A creation was begun; one that meets another contract has no frame. */
  private creating = false
  /** Where the size of memory after a call stands, and what it is if the call has no frame. */
  private calling: { readonly chunk: Buffer; readonly at: number; readonly words: number } | undefined
  /** What the last RETURN left behind. */
  private returned = { gas: 0n, bytes: 0 }
  private steps = 0
  /** Words up to the end of a call's input. */
  private inputEnd = 0
  /** As many steps are logged as are wanted: what follows runs without a record. */
  private isFull = false

  constructor(rules: Rules, log: ByteLog, options: StepOptions) {
    this.options = options
    this.log = log
    this.rules = rules
    this.out = newWords(opTableOf(rules))
    this.markedChunk = log.chunk
  }

  /** Says that the last step that is no RETURN has failed after all. */
  private mark(halt: Halt): void {
    if (this.markedAt >= 0) this.markedChunk[this.markedAt] = markOf(halt)
  }

  private byte(value: number): void {
    this.log.chunk[this.log.at++] = value
  }

  private u32(value: number): void {
    this.log.at = this.log.chunk.writeUInt32LE(value, this.log.at)
  }

  private varint(value: number): void {
    while (value >= 128) {
      this.byte((value % 128) | 128)
      value = Math.floor(value / 128)
    }
    this.byte(value)
  }

  /** Big-endian, without leading zeros, from a little-endian word. */
  private word(words: Uint8Array, at: number): void {
    let length = 32
    while (length > 0 && words[at + length - 1] === 0) length--
    this.byte(length)
    for (let i = length - 1; i >= 0; i--) this.byte(words[at + i]!)
  }

  private bytes(offset: number, from: Uint8Array): void {
    this.u32(offset)
    this.u32(from.length)
    this.log.chunk.set(from, this.log.at)
    this.log.at += from.length
  }

  private begin(step: Step, frame: Frame): void {
    const { op, pc } = step
    const gas = Number(step.gas)
    const count = frame.op < 0 || !this.options.stack ? 0 : this.out[frame.op]!
    this.log.ensure(16 + 33 * count)
    const flags = (pc === frame.pc ? 0 : stepFlags.pc) | (gas === frame.gas ? 0 : stepFlags.gas)
    this.byte(kinds.step | flags)
    this.byte(op)
    if (flags & stepFlags.pc) this.u32(pc)
    if (flags & stepFlags.gas) this.log.at = this.log.chunk.writeDoubleLE(gas, this.log.at)
    if (count > 0) {
      const words = step.stackWindow()
      for (let at = words.length - 32 * count; at < words.length; at += 32) this.word(words, at)
    }
    frame.op = op
    frame.pc = pc + sizeOf(op)
    frame.gas = gas
  }

  /** Words of memory that Besu shows: those that a call is to leave its output in come only with it. */
  private wordsAfter(step: StepEnd, frame: Frame): number {
    if (step.error !== undefined) return frame.words
    if (!isCall(step.op)) return step.memorySize >>> 5
    return Math.min(step.memorySize >>> 5, Math.max(frame.words, this.inputEnd))
  }

  /** Mends the record of a call or creation that turns out to have no frame. */
  private settleUnmade(): void {
    if (this.creating) this.mark('outOfGas')
    this.creating = false
    if (!this.calling) return
    this.calling.chunk.writeUInt32LE(this.calling.words, this.calling.at)
    this.frames.at(-1)!.words = this.calling.words
    this.calling = undefined
  }

  private finish(step: StepEnd, frame: Frame): void {
    const { op, error } = step
    const well = error === undefined
    const cost = well ? Number(step.cost) - Number(step.passedGas) : Number(namedCost(step, BigInt(frame.gas)))
    const words = this.options.memory ? this.wordsAfter(step, frame) : 0
    const waits = this.options.memory && well && isCall(op) && words !== step.memorySize >>> 5
    const write =
      this.options.memory && well && this.place && !isCall(op) && this.place.length > 0n ? this.place : undefined
    const stores = this.options.storage && well && op === SSTORE
    const reason =
      well && op === REVERT ? step.memoryWindow().slice(Number(this.top), Number(this.top + this.second)) : undefined
    const flags =
      (words === frame.words && !waits ? 0 : endFlags.size) |
      (write ? endFlags.write : 0) |
      (stores ? endFlags.storage : 0) |
      (reason ? endFlags.reason : 0)
    this.log.ensure(104 + (write ? Number(write.length) : 0) + (reason ? reason.length : 0))
    this.byte(kinds.end | flags)
    if (op === RETURN) this.returned = { gas: BigInt(frame.gas - cost), bytes: Number(this.second) }
    else {
      this.markedChunk = this.log.chunk
      this.markedAt = this.log.at
    }
    this.byte(markOf(namedHalt(step, frame.isStatic)))
    this.creating = isCreate(op) && step.passedGas > 0n
    this.varint(cost)
    if (waits) this.calling = { chunk: this.log.chunk, at: this.log.at, words: step.memorySize >>> 5 }
    if (flags & endFlags.size) this.u32((frame.words = words))
    if (write) {
      const at = Number(write.offset)
      this.bytes(at, step.memoryWindow().subarray(at, at + Number(write.length)))
    }
    if (stores) {
      this.log.at += this.log.chunk.write(this.top.toString(16).padStart(64, '0'), this.log.at, 'hex')
      this.log.at += this.log.chunk.write(this.second.toString(16).padStart(64, '0'), this.log.at, 'hex')
    }
    if (reason) this.bytes(0, reason)
    frame.gas -= cost
    if (isCall(op)) frame.output = this.place
  }

  /** Says whether one more step may be logged. */
  private hasRoom(): boolean {
    const { limit = 0 } = this.options
    if (limit > 0 && this.steps >= limit) this.isFull = true
    return !this.isFull
  }

  private virtual(isStop: boolean, depth: number, gas: bigint): void {
    if (!this.hasRoom()) return
    this.log.ensure(16)
    this.byte(kinds.virtual)
    this.byte(isStop ? 1 : 0)
    this.byte(depth & 255)
    this.byte(depth >> 8)
    this.log.at = this.log.chunk.writeDoubleLE(Number(gas), this.log.at)
    this.steps++
  }

  readonly onStep: NonNullable<Tracer['onStep']> = (step) => {
    const { op } = step
    this.settleUnmade()
    if (!this.hasRoom()) return
    const call = isCall(op)
    this.place = undefined
    if (this.options.memory) {
      if (call) {
        this.place = outputPlace(step)
        const at = op === CALL || op === CALLCODE ? 3 : 2
        const length = step.peek(at + 1) ?? 0n
        const end = (step.peek(at) ?? 0n) + length
        this.inputEnd = length > 0n && end < 0xffffffffn ? Math.ceil(Number(end) / 32) : 0
      } else if (writesMemory[op]) this.place = writtenPlace(step)
    }
    if (op === SSTORE || op === REVERT || op === RETURN) {
      this.top = step.peek(0) ?? 0n
      this.second = step.peek(1) ?? 0n
    }
    this.steps++
    this.begin(step, this.frames.at(-1)!)
  }

  readonly onStepEnd: NonNullable<Tracer['onStepEnd']> = (step) => {
    if (!this.isFull) this.finish(step, this.frames.at(-1)!)
  }

  readonly onEnter: NonNullable<Tracer['onEnter']> = (enter) => {
    const { kind, runs, depth, from, to, gas } = enter
    this.creating = false
    this.calling = undefined
    const isStatic = kind === 'STATICCALL' || (this.frames.at(-1)?.isStatic ?? false)
    this.frames.push({ enter, isStatic, op: -1, pc: 0, gas: -1, words: 0, output: undefined })
    if (kind === 'SELFDESTRUCT' || this.isFull) return
    this.log.ensure(24)
    this.byte(kinds.enter)
    const owner = kind === 'DELEGATECALL' || kind === 'CALLCODE' ? from : to
    this.log.chunk.set(owner, this.log.at)
    this.log.at += 20
    if (runs === 'nothing') this.virtual(true, depth, gas)
  }

  readonly onExit: NonNullable<Tracer['onExit']> = (exit) => {
    this.settleUnmade()
    const { halt, output } = exit
    const { enter } = this.frames.pop()!
    if (enter.kind === 'SELFDESTRUCT' || this.isFull) return
    const { runs, kind, depth, gas } = enter
    if (runs === 'precompile' && this.steps === 0 && halt !== 'outOfGas')
      this.virtual(false, depth, gas - precompileCost(enter, exit, this.rules))
    const failure = depositFailure(halt, this.returned.gas, this.returned.bytes)
    if (failure) this.mark(failure)
    this.log.ensure(16)
    this.byte(isSuccess(halt) ? kinds.exit : kinds.fail)
    const caller = this.frames.at(-1)
    if (!caller?.output || kind === 'CREATE' || kind === 'CREATE2') return
    const { offset, length } = caller.output
    const size = length < BigInt(output.length) ? Number(length) : output.length
    if (size === 0) return
    this.log.ensure(16 + size)
    this.byte(kinds.returned)
    this.bytes(Number(offset), output.subarray(0, size))
  }
}

/**
 * Writes down what each step changed, in a few bytes a step: the stack before it, and memory and storage after it, are
 * put together again by the reader of the log.
 */
export function createStepLog(rules: Rules, log: ByteLog, options: StepOptions): Tracer {
  return new StepLog(rules, log, options)
}
