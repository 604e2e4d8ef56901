import type { Evm } from '../../evm/evm.ts'
import type { Halt } from '../../evm/message.ts'
import { opcodes } from '../../evm/opcodes.ts'
import { opTableOf } from '../../evm/opTables.ts'
import type { FrameEnter, FrameExit, Step, StepEnd, Tracer } from '../../evm/tracer.ts'
import type { Rules } from '../../forks/rules.ts'
import { emptyBytes, zeroAddress } from '../../primitives/bytes.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import {
  type BesuFrame,
  type BesuFrameSink,
  type BesuMessage,
  depositFailure,
  type MemoryWrite,
  namedCost,
  namedHalt,
  precompileCost,
} from './besuFrame.ts'
import { isCall, type MemoryPlace, outputPlace, writtenPlace } from './memoryPlace.ts'

/** A message under way. */
interface Running {
  readonly enter: FrameEnter
  readonly message: BesuMessage
  readonly isStatic: boolean
  /** Where its caller wants its output. */
  readonly output: MemoryPlace | undefined
  /** What a call that it made has left in its memory: reported with the entry after that. */
  returned: MemoryWrite | undefined
}

/** What was seen before an opcode ran. */
interface Before {
  readonly pc: number
  readonly depth: number
  readonly gas: bigint
  readonly height: number
  readonly top: bigint | undefined
  readonly second: bigint | undefined
  readonly place: MemoryPlace | undefined
}

const { MLOAD, SSTORE, PUSH0, PUSH32, CREATE, RETURN, CREATE2, REVERT } = opcodes
const noWords: readonly bigint[] = []
const nobody: BesuMessage = { creates: true, recipient: zeroAddress, value: 0n, input: emptyBytes, code: emptyBytes }
const isCreate = (code: number) => code === CREATE || code === CREATE2
const isPush = (code: number) => code >= PUSH0 && code <= PUSH32

/** The word that a PUSH takes from the code behind it. */
function pushedBy(code: number, behind: Uint8Array): bigint {
  const word = new Uint8Array(code - PUSH0)
  word.set(behind.subarray(0, word.length))
  return bytesToBigInt(word)
}

function virtualFrame(name: string, depth: number, gas: bigint, message: BesuMessage): BesuFrame {
  return {
    pc: 0,
    op: name,
    depth,
    gas,
    cost: 0n,
    refund: 0n,
    message,
    isVirtual: true,
    top: undefined,
    second: undefined,
    pushed: noWords,
    output: emptyBytes,
    memoryWrite: undefined,
    storageWrite: undefined,
    halt: undefined,
    code: message.code,
    precompileCost: undefined,
    gasAfter: 0n,
    balance: 0n,
  }
}

function placeOf(step: Step): MemoryPlace | undefined {
  if (isCall(step.op)) return outputPlace(step)
  return step.op === MLOAD ? { offset: step.peek(0) ?? 0n, length: 32n } : writtenPlace(step)
}

function read(step: Step, { offset, length }: MemoryPlace): MemoryWrite | undefined {
  if (length === 0n) return undefined
  const at = Number(offset)
  return { offset, bytes: step.memoryWindow().slice(at, at + Number(length)) }
}

/** A word of a window onto a stack. */
function wordAt(words: Uint8Array, index: number): bigint {
  const bytes = words.slice(32 * index, 32 * index + 32).reverse()
  return BigInt('0x' + Buffer.from(bytes).toString('hex'))
}

/** Makes of what the interpreter reports the entries that Besu's tracer would have: they differ from geth's in places. */
class FrameRecorder {
  private readonly evm: Evm
  private readonly rules: Rules
  private readonly sinks: readonly BesuFrameSink[]
  private readonly detailed: boolean
  private readonly ops: ReturnType<typeof opTableOf>
  private readonly waiting: BesuFrame[] = []
  private readonly running: Running[] = []
  /** A creation that was begun; one that meets another contract has no frame. */
  private creating: BesuFrame | undefined
  private seen = 0
  readonly tracer: Tracer

  constructor(evm: Evm, rules: Rules, sinks: readonly BesuFrameSink[], detailed: boolean) {
    this.detailed = detailed
    this.sinks = sinks
    this.rules = rules
    this.evm = evm
    this.ops = opTableOf(rules)
    let before: Before | undefined
    this.tracer = {
      onStep: (step) => {
        if (this.creating) this.creating.halt = 'outOfGas'
        this.creating = undefined
        const { pc, depth, gas, op: code, stackHeight: height } = step
        const looks = detailed || code >= CREATE || code === SSTORE
        const place = isCreate(code) ? { offset: 0n, length: step.peek(2) ?? 0n } : detailed ? placeOf(step) : undefined
        const top = looks ? step.peek(0) : undefined
        before = { pc, depth, gas, height, top, second: looks ? step.peek(1) : undefined, place }
      },
      onStepEnd: (step) => this.addStep(step, before!),
      onEnter: (enter) => {
        this.creating = undefined
        const { kind, depth, gas, runs, value } = enter
        const caller = depth > 1 ? this.waiting.at(-1)! : undefined
        if (kind === 'SELFDESTRUCT') {
          caller!.balance = value
          const { message, isStatic } = this.running.at(-1)!
          this.running.push({ enter, message, isStatic, output: undefined, returned: undefined })
          return
        }
        const message = this.messageOf(enter)
        if (caller) caller.code = message.code
        const output = caller && !message.creates ? before!.place : undefined
        const isStatic = kind === 'STATICCALL' || (this.running.at(-1)?.isStatic ?? false)
        this.running.push({ enter, message, isStatic, output, returned: undefined })
        if (runs === 'nothing') this.add(virtualFrame('STOP', depth - 1, gas, message))
      },
      onExit: (exit) => {
        const ended = this.running.pop()!
        if (ended.enter.kind === 'SELFDESTRUCT') return
        this.addExit(ended, exit)
        const caller = this.running.at(-1)
        if (!caller || !ended.output) return
        const { offset, length } = ended.output
        const size = length < BigInt(exit.output.length) ? Number(length) : exit.output.length
        if (size > 0) caller.returned = { offset, bytes: exit.output.subarray(0, size) }
      },
    }
  }

  private hand(count: number): void {
    for (let i = 0; i < count; i++) for (const sink of this.sinks) sink(this.waiting[i]!, this.waiting[i + 1])
    this.waiting.copyWithin(0, count)
    this.waiting.length -= count
  }

  private add(frame: BesuFrame): void {
    const last = this.waiting.at(-1)
    if (last) last.gasAfter = frame.gas
    this.waiting.push(frame)
    this.seen++
    let held = this.waiting.length - 1
    while (held > 0 && this.waiting[held]!.op === 'RETURN') held--
    if (held > 0) this.hand(held)
  }

  private messageOf({ kind, runs, from, to, codeAddress, value, input }: FrameEnter): BesuMessage {
    const creates = kind === 'CREATE' || kind === 'CREATE2'
    const borrows = kind === 'DELEGATECALL' || kind === 'CALLCODE'
    const code = creates ? input : runs === 'code' ? this.evm.code(codeAddress) : emptyBytes
    return { creates, recipient: borrows ? from : to, value, input: creates ? emptyBytes : input, code }
  }

  private wordsLeft(step: StepEnd, { height, pc }: Before, { code }: BesuMessage): readonly bigint[] {
    const known = this.ops[step.op]
    if (!known || known.out === 0) return noWords
    // Besu pushes before it looks at the gas.
    if (step.error === 'outOfGas' && isPush(step.op)) return [pushedBy(step.op, code.subarray(pc + 1))]
    const words = step.stackWindow()
    // The arguments of a call still stand on the stack, unless a creation met another contract and is over already;
    // those of any other opcode that failed are gone.
    const starts = step.passedGas > 0n || (step.error !== undefined && (isCall(step.op) || isCreate(step.op)))
    const stays = starts && words.length >= 32 * height
    const end = stays ? height : step.error ? height - known.in : step.stackHeight
    const count = Math.min(known.out, Math.max(end, 0))
    return Array.from({ length: count }, (_, i) => wordAt(words, end - count + i))
  }

  private addStep(step: StepEnd, before: Before): void {
    const { op: code, opName, passedGas, error, refund } = step
    const { pc, depth, gas, top, second, place } = before
    const current = this.running.at(-1)!
    const { message, isStatic } = current
    let memoryWrite: MemoryWrite | undefined
    if (this.detailed) {
      if (place && error === undefined && !isCall(code) && !isCreate(code)) memoryWrite = read(step, place)
      memoryWrite ??= current.returned
      current.returned = undefined
    }
    const ends = (code === RETURN || code === REVERT) && error === undefined
    const frame: BesuFrame = {
      pc,
      op: opName,
      depth: depth - 1,
      gas,
      cost: namedCost(step, gas),
      refund,
      message,
      isVirtual: pc >= message.code.length,
      top,
      second,
      pushed: this.detailed ? this.wordsLeft(step, before, message) : noWords,
      output: ends ? (read(step, { offset: top!, length: second! })?.bytes ?? emptyBytes) : emptyBytes,
      memoryWrite,
      storageWrite: code === SSTORE && error === undefined ? { slot: top!, value: second! } : undefined,
      halt: namedHalt(step, isStatic),
      code: message.code,
      precompileCost: undefined,
      gasAfter: 0n,
      balance: 0n,
    }
    this.add(frame)
    if (isCreate(code) && passedGas > 0n) {
      frame.code = read(step, { offset: second!, length: place!.length })?.bytes ?? emptyBytes
      this.creating = frame
    }
  }

  private addExit({ enter, message }: Running, exit: FrameExit): void {
    const { halt } = exit
    if (enter.runs === 'precompile') {
      if (halt === 'outOfGas') return
      const cost = precompileCost(enter, exit, this.rules)
      if (this.seen === 0) this.add(virtualFrame('', enter.depth - 1, enter.gas - cost, message))
      this.waiting.at(-1)!.precompileCost = cost
      return
    }
    const last = this.waiting.at(-1)
    const failure = message.creates && last ? depositFailure(halt, last.gas - last.cost, last.output.length) : undefined
    const marked = failure && this.waiting.findLast((frame) => frame.op !== 'RETURN')
    if (marked) marked.halt = failure
  }

  readonly finish: { readonly tracer: Tracer; finish(halt: Halt): void }['finish'] = (halt) => {
    if (this.seen === 0 && halt === 'createCollision')
      this.add({ ...virtualFrame('', 0, 0n, nobody), halt: 'outOfGas' })
    this.hand(this.waiting.length)
  }
}

/**
 * Turns what the interpreter reports into Besu's entries. An entry is handed on as soon as nothing can change it: a creation
 * that fails in the end marks an entry before its RETURN. With `detailed` entries have stack, memory and storage too.
 */
export function createBesuFrames(
  evm: Evm,
  rules: Rules,
  sinks: readonly BesuFrameSink[],
  detailed: boolean,
): { readonly tracer: Tracer; finish(halt: Halt): void } {
  return new FrameRecorder(evm, rules, sinks, detailed)
}
