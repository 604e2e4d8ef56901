import { type Halt, isSuccess } from '../../../evm/message.ts'
import { opcodes } from '../../../evm/opcodes.ts'
import type { FrameEnter, FrameExit, Step, StepEnd, Tracer } from '../../../evm/tracer.ts'
import type { TxOutcome } from '../../../execution/runTx.ts'
import type { CallFailure } from '../../../execution/tracing/callTracer.ts'
import { writesMemory, writtenPlace } from '../../../execution/tracing/memoryPlace.ts'
import type { TraceContext } from '../../../execution/tracing/traceContext.ts'
import { type Address, emptyBytes } from '../../../primitives/bytes.ts'
import { toHex } from '../../../primitives/hex.ts'
import type { Tx } from '../../../types/transaction.ts'
import { gethHaltText } from '../../calls/gethHaltText.ts'
import { type Script, type ScriptEngine, ScriptFailure } from './scriptEngine.ts'
import { borrowedContract, contractOf, createScriptHost, type ScriptContract, type ScriptView } from './scriptHost.ts'
import { windowLayout as at } from './windowLayout.ts'

/** What the caller gives: the tracer's text, and its configuration as JSON text. */
export interface ScriptTracerTerms {
  readonly code: string
  readonly config: string
  isOver(): boolean
}

/** The transaction that is traced, as a tracer's `result` is told of it. */
export interface ScriptTx {
  readonly tx: Tx
  readonly gasPrice: bigint
  readonly blockNumber: bigint
  /** Absent for a call that is in no block. */
  readonly place?: { readonly blockHash: Uint8Array; readonly txHash: Uint8Array; readonly index: number } | undefined
}

/** Failures that geth finds before it runs an opcode: it reports one step with an error instead of a step and a fault. */
const foundBefore: ReadonlySet<Halt> = new Set<Halt>([
  'outOfGas',
  'stackUnderflow',
  'stackOverflow',
  'initCodeTooLarge',
])
/** Events between two looks at the clock. */
const eventsPerLook = 64
const { SSTORE, REVERT } = opcodes
const frameless: ReadonlySet<string> = new Set(['DELEGATECALL', 'CALLCODE'])
const noMemory = () => emptyBytes

/** Reports a transaction to a tracer that is written in JavaScript, in the order and with the values that geth gives. */
export class ScriptTracer {
  private readonly context: TraceContext
  private readonly terms: ScriptTracerTerms
  private readonly traced: ScriptTx
  private readonly view: ScriptView
  private readonly contracts: ScriptContract[] = []
  private readonly script: Script | undefined
  /** What the tracer did wrong; the transaction then runs on without it. */
  private failure: string | undefined
  private callFailure: CallFailure | undefined
  private root: { readonly enter: FrameEnter; error?: string; output: Uint8Array } | undefined
  private events = 0
  private stackHeight = 0
  readonly tracer: Tracer

  constructor(engine: ScriptEngine, context: TraceContext, traced: ScriptTx, terms: ScriptTracerTerms) {
    this.context = context
    this.terms = terms
    this.traced = traced
    const before = { memoryAt: 0, memory: emptyBytes, memorySize: 0, slot: '', slotValue: emptyBytes }
    this.view = { before, contract: undefined, frame: undefined, output: emptyBytes, memory: noMemory }
    const { code, config, isOver } = terms
    const host = createScriptHost(context.evm, context.rules, this.view)
    try {
      this.script = engine.open({ code, config, host, isOver })
    } catch (error) {
      this.fail(error)
    }
    const { onStep, onStepEnd, onEnter, onExit } = this
    // Without steps there are still faults, of which a REVERT is one.
    const seesSteps = this.script?.hasStep ?? false
    this.tracer = { onStep, onStepEnd, onEnter, onExit, ...(!seesSteps && { watches: [REVERT] }) }
  }

  private fail(error: unknown): void {
    if (!(error instanceof ScriptFailure)) throw error
    this.failure ??= error.message
  }

  /** Whether the tracer is still asked. */
  private isAlive(): boolean {
    if (this.failure !== undefined) return false
    if (++this.events % eventsPerLook === 0 && this.terms.isOver())
      this.failure = 'execution timeout: the tracer has taken too long'
    return this.failure === undefined
  }

  private ask(name: 'step' | 'fault' | 'enter' | 'exit', text?: string): void {
    try {
      this.script!.call(name, text)
    } catch (error) {
      this.fail(error)
    }
  }

  private readonly onStep = (step: Step): void => {
    if (!this.isAlive() || !this.script!.hasStep) return
    const { op, memorySize, stackHeight } = step
    const shared = this.script!.shared()
    shared.writeDoubleLE(step.pc, at.pc)
    shared.writeDoubleLE(Number(step.gas), at.gas)
    shared.writeDoubleLE(step.depth, at.depth)
    shared.writeDoubleLE(memorySize, at.memorySize)
    shared.writeDoubleLE(op, at.op)
    shared.writeDoubleLE(stackHeight, at.stackHeight)
    shared.set(step.stackWindow(), at.stack)
    this.stackHeight = stackHeight
    this.view.before.memorySize = memorySize
    this.keep(step)
  }

  /** Keeps what the opcode is about to overwrite. */
  private keep(step: Step): void {
    const { before } = this.view
    before.memory = emptyBytes
    before.slot = ''
    const { op, memorySize } = step
    if (op === SSTORE) {
      const slot = (step.peek(0) ?? 0n).toString(16).padStart(64, '0')
      const bytes = Buffer.from(slot, 'hex')
      before.slot = `${toHex(step.address)}0x${slot}`
      before.slotValue = this.context.evm.storage(step.address, new Uint8Array(bytes) as never)
    } else if (writesMemory[op]) {
      const place = writtenPlace(step)!
      const start = Number(place.offset)
      if (start >= memorySize) return
      before.memoryAt = start
      before.memory = step.memoryWindow().slice(start, Math.min(memorySize, start + Number(place.length)))
    }
  }

  private readonly onStepEnd = (step: StepEnd): void => {
    const { op, error, stackHeight } = step
    if (error !== undefined)
      this.callFailure = { halt: error, op, stackHeight: this.script?.hasStep ? this.stackHeight : stackHeight }
    if (!this.isAlive()) return
    const text = error === undefined ? undefined : gethHaltText(this.callFailure!)
    this.view.memory = () => step.memoryWindow()
    const isEarly = error !== undefined && foundBefore.has(error)
    if (this.script!.hasStep) this.step(step, isEarly ? text : undefined)
    if (!isEarly && (text !== undefined || op === REVERT)) this.fault(text ?? 'execution reverted')
    this.view.memory = noMemory
  }

  private step({ cost, refund }: StepEnd, error: string | undefined): void {
    const shared = this.script!.shared()
    shared.writeDoubleLE(Number(cost), at.cost)
    shared.writeDoubleLE(Number(refund), at.refund)
    this.ask('step', error)
  }

  private fault(error: string): void {
    if (this.failure === undefined) this.ask('fault', error)
  }

  private readonly onEnter = (enter: FrameEnter): void => {
    const { kind, from, to, value, gas, input, depth } = enter
    const caller = this.contracts.at(-1)
    const contract = frameless.has(kind) ? borrowedContract(enter, caller) : contractOf(enter)
    this.contracts.push(contract)
    this.view.contract = contract
    if (depth === 1) this.root = { enter, output: emptyBytes }
    else if (this.isAlive() && this.script!.hasFrames) {
      this.view.frame = { from, to, input }
      const shown = kind === 'STATICCALL' ? undefined : value.toString()
      this.ask('enter', JSON.stringify({ type: kind, gas: Number(gas), value: shown }))
    }
  }

  private readonly onExit = ({ depth, halt, gasUsed, output }: FrameExit): void => {
    this.contracts.pop()
    this.view.contract = this.contracts.at(-1)
    const error = isSuccess(halt) ? undefined : gethHaltText(this.failureOf(halt))
    this.callFailure = undefined
    if (depth === 1) {
      this.root!.output = output
      if (error !== undefined) this.root!.error = error
    } else if (this.isAlive() && this.script!.hasFrames) {
      this.view.output = output
      this.ask('exit', JSON.stringify({ gasUsed: Number(gasUsed), error }))
    }
  }

  private failureOf(halt: Halt): CallFailure {
    return this.callFailure?.halt === halt ? this.callFailure : { halt, op: 0, stackHeight: 0 }
  }

  /** The text of what the tracer returns; throws a ScriptFailure. */
  finish(outcome: TxOutcome): string {
    try {
      if (this.failure !== undefined) throw new ScriptFailure(this.failure)
      this.view.before.slot = ''
      return this.script!.call('result', this.contextText(outcome))!
    } finally {
      this.script?.close()
    }
  }

  private contextText({ gasUsed, output }: TxOutcome): string {
    const { tx, gasPrice, blockNumber, place } = this.traced
    const { root } = this
    const bytes: Record<string, Uint8Array | Address> = { input: tx.data, output: root?.output ?? output }
    if (root) Object.assign(bytes, { from: root.enter.from, to: root.enter.to })
    if (place) Object.assign(bytes, { blockHash: place.blockHash, txHash: place.txHash })
    return JSON.stringify({
      bytes: Object.fromEntries(Object.entries(bytes).map(([name, value]) => [name, toHex(value)])),
      words: { gasPrice: gasPrice.toString(), value: tx.value.toString() },
      numbers: {
        type: tx.to ? 'CALL' : 'CREATE',
        gas: Number(tx.gasLimit),
        gasUsed: Number(gasUsed),
        block: Number(blockNumber),
        ...(place && { txIndex: place.index }),
        ...(root?.error !== undefined && { error: root.error }),
      },
    })
  }
}
