import { type Halt, isSuccess } from '../../evm/message.ts'
import { opcodes } from '../../evm/opcodes.ts'
import type { FrameEnter, FrameKind, Step, StepEnd, Tracer } from '../../evm/tracer.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { TxOutcome } from '../runTx.ts'

/** A log, and how many calls its frame had made before it. */
export interface TracedLog {
  readonly address: Address
  readonly topics: readonly bigint[]
  readonly data: Uint8Array
  readonly position: number
}

/** Why a frame failed, and the opcode that it failed at. */
export interface CallFailure {
  readonly halt: Halt
  readonly op: number
  readonly stackHeight: number
}

/** A call, a creation or a self-destruction, with those that it made. */
export interface CallFrame {
  readonly kind: FrameKind
  readonly runs: FrameEnter['runs']
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly gas: bigint
  gasUsed: bigint
  readonly input: Uint8Array
  output: Uint8Array
  failure: CallFailure | undefined
  readonly calls: CallFrame[]
  logs: TracedLog[]
}

export interface CallTracerOptions {
  readonly onlyTopCall: boolean
  readonly withLog: boolean
}

const noOutput = new Uint8Array(0)
const { LOG0, LOG1, LOG2, LOG3, LOG4 } = opcodes
const logOps = [LOG0, LOG1, LOG2, LOG3, LOG4]

function dropLogs(frame: CallFrame): void {
  frame.logs = []
  frame.calls.forEach(dropLogs)
}

/** Collects the tree of a transaction's calls. */
export function createCallTracer(gasLimit: bigint, options: CallTracerOptions) {
  const open: CallFrame[] = []
  let root: CallFrame | undefined
  let failure: CallFailure | undefined
  let log: Omit<TracedLog, 'address' | 'data' | 'position'> | undefined
  let logPlace = { offset: 0n, length: 0n }

  function start({ kind, runs, from, to, value, gas, input, depth }: FrameEnter): CallFrame {
    return {
      kind,
      runs,
      from,
      to,
      value,
      gas: depth === 1 ? gasLimit : gas,
      gasUsed: 0n,
      input,
      output: noOutput,
      failure: undefined,
      calls: [],
      logs: [],
    }
  }

  function keepLog(step: StepEnd): void {
    const frame = open.at(-1)!
    const at = Number(logPlace.offset)
    const data = step.memoryWindow().slice(at, at + Number(logPlace.length))
    frame.logs.push({ ...log!, address: step.address, data, position: frame.calls.length })
  }

  function seeLog(step: Step): void {
    const count = step.op - LOG0
    log = { topics: Array.from({ length: count }, (_, i) => step.peek(2 + i) ?? 0n) }
    logPlace = { offset: step.peek(0) ?? 0n, length: step.peek(1) ?? 0n }
  }

  const tracer: Tracer = {
    watches: options.withLog ? logOps : [],
    onStep: seeLog,
    onStepEnd(step) {
      if (step.error !== undefined) failure = { halt: step.error, op: step.op, stackHeight: step.stackHeight }
      else if (!(options.onlyTopCall && open.length > 1)) keepLog(step)
    },
    onEnter(enter) {
      const frame = start(enter)
      if (!(options.onlyTopCall && enter.depth > 1)) open.at(-1)?.calls.push(frame)
      root ??= frame
      open.push(frame)
    },
    onExit({ halt, gasUsed, output }) {
      const frame = open.pop()!
      frame.gasUsed = gasUsed
      frame.output = output
      if (isSuccess(halt)) return
      frame.failure = failure?.halt === halt ? failure : { halt, op: 0, stackHeight: 0 }
      failure = undefined
      dropLogs(frame)
    },
  }
  return {
    tracer,
    /** Undefined where the transaction could not even start: its contract's address was taken. */
    finish({ gasUsed }: TxOutcome): CallFrame | undefined {
      if (root) root.gasUsed = gasUsed
      return root
    },
  }
}
