import { opcodes } from '../../evm/opcodes.ts'
import type { TxOutcome } from '../../execution/runTx.ts'
import { createByteLog } from '../../execution/tracing/byteLog.ts'
import { type CallFrame, type CallTracerOptions, createCallTracer } from '../../execution/tracing/callTracer.ts'
import { createFourByteTracer } from '../../execution/tracing/fourByteTracer.ts'
import { joinTracers } from '../../execution/tracing/joinTracers.ts'
import { createKeccakInputs } from '../../execution/tracing/keccakInputs.ts'
import { createPrestateTracer } from '../../execution/tracing/prestateTracer.ts'
import { createStepLog, type StepOptions } from '../../execution/tracing/stepLog.ts'
import type { TraceContext } from '../../execution/tracing/traceContext.ts'
import type { TxWatch } from '../../execution/tracing/traceTxs.ts'
import { createValidationTracer, type ValidationOptions } from '../../execution/tracing/validationTracer.ts'
import { type Address, keyOf } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { authorityOf } from '../../types/signTx.ts'
import { effectiveGasPriceOf, type Tx } from '../../types/transaction.ts'
import { hexText } from '../codecs/bytes.ts'
import type { TracesPort } from '../protocol/context.ts'
import { callFrameText } from './callFrameText.ts'
import { flatCallsText, type TxPlace } from './flatCallText.ts'
import { accountsText, prestateText } from './prestateText.ts'
import { type ScriptRun, watchScript } from './script/watchScript.ts'
import { structLogText } from './structLogText.ts'
import type { PrestateTraceOptions, TraceOptions } from './traceOptions.ts'
import { validationText } from './validationText.ts'

/** A transaction, and who collects its fees. */
export interface WatchedTx {
  readonly tx: Tx
  readonly sender: Address
  readonly beneficiary: Address
  /** Of the block that it is in. */
  readonly block: { readonly number: bigint; readonly baseFee?: bigint | undefined }
  /** Absent for a call that is in no block. */
  readonly place?: () => TxPlace
}

/** Schema of what DEBUG methods return for one transaction without a tracer. */
export const structLogSchema = {
  title: 'trace',
  type: 'object',
  properties: {
    gas: { type: 'integer' },
    failed: { type: 'boolean' },
    returnValue: { type: 'string' },
    structLogs: { type: 'array', items: { type: 'object' } },
  },
}

type Watch = TxWatch<Iterable<string>>

/** What traces are made with. */
interface WatchTools extends TracesPort {
  /** Absent where the options name no tracer of the caller's own. */
  readonly scripts?: ScriptRun | undefined
}

function* structLogs({ gasUsed, status, output }: TxOutcome, logs: Iterable<string>): Generator<string> {
  const returned = status === 1 ? toHex(output).slice(2) : ''
  yield `{"gas":${gasUsed},"failed":${status === 0},"returnValue":"${returned}","structLogs":`
  yield* logs
  yield '}'
}

function watchSteps({ rules }: TraceContext, options: StepOptions, { openSpill }: TracesPort): Watch {
  const log = createByteLog(openSpill)
  const tracer = createStepLog(rules, log, options)
  return { tracer, finish: (outcome) => structLogs(outcome, structLogText(log, rules, options)) }
}

function watchPrestate(context: TraceContext, watched: WatchedTx, options: PrestateTraceOptions): Watch {
  const { tx, sender, beneficiary } = watched
  const authorities = tx.type === 4 ? tx.authorizations.map(authorityOf).filter((one) => one !== undefined) : []
  const state = context.before()
  const known = [sender, ...(tx.to ? [tx.to] : []), beneficiary, ...authorities]
  const prestate = createPrestateTracer(known, context.rules, options)
  return {
    tracer: prestate.tracer,
    finish: () => [
      options.diffMode
        ? prestateText(prestate.difference(state, context.after()))
        : accountsText(prestate.before(state)),
    ],
  }
}

const callsOnly = { onlyTopCall: false, withLog: false }

function watchCalls(
  { tx }: WatchedTx,
  options: CallTracerOptions,
  textOf: (root: CallFrame) => Iterable<string>,
): Watch {
  const { tracer, finish } = createCallTracer(tx.gasLimit, options)
  return {
    tracer,
    finish(outcome) {
      const root = finish(outcome)
      return root ? textOf(root) : ['null']
    },
  }
}

function watchTogether(watches: readonly (readonly [name: string, watch: Watch])[]): Watch {
  const tracers = watches.flatMap(([, { tracer }]) => tracer ?? [])
  return {
    tracer: joinTracers(tracers),
    finish: (outcome) => membersText(watches.map(([name, { finish }]) => [name, finish(outcome)])),
  }
}

function* membersText(members: readonly (readonly [name: string, text: Iterable<string>])[]): Generator<string> {
  yield '{'
  for (const [i, [name, text]] of members.entries()) {
    yield `${i > 0 ? ',' : ''}"${name}":`
    yield* text
  }
  yield '}'
}

function watchSelectors(): Watch {
  const { tracer, counts } = createFourByteTracer()
  return {
    tracer,
    finish: () => {
      const sorted = [...counts()].sort((a, b) => (keyOf(a.selector) < keyOf(b.selector) ? -1 : 1))
      const members = sorted.map(
        ({ selector, argumentBytes, count }) => `"${toHex(selector)}-${argumentBytes}":${count}`,
      )
      return [`{${members.join(',')}}`]
    },
  }
}

function watchHashed(): Watch {
  const inputs = createKeccakInputs()
  return {
    tracer: { watches: [opcodes.KECCAK256], onStep: inputs.see },
    finish: () => [
      `{${inputs
        .all()
        .map(({ hash, input }) => `${hexText(hash)}:${hexText(input)}`)
        .join(',')}}`,
    ],
  }
}

function watchValidation({ evm }: TraceContext, { tx }: WatchedTx, options: ValidationOptions): Watch {
  const validation = createValidationTracer(evm, tx.gasLimit, options)
  return {
    tracer: validation.tracer,
    finish(outcome) {
      const trace = validation.finish(outcome)
      return [trace ? validationText(trace) : 'null']
    },
  }
}

/** Watches a transaction by the tracer that the options name; gives JSON text. */
export function watchTx(context: TraceContext, watched: WatchedTx, options: TraceOptions, tools: WatchTools): Watch {
  switch (options.tracer) {
    case 'structLogs':
      return watchSteps(context, options.steps, tools)
    case 'callTracer':
      return watchCalls(watched, options.calls, (root) => [callFrameText(root)])
    case 'flatCallTracer':
      return watchCalls(watched, callsOnly, (root) => flatCallsText(root, options.flat, watched.place?.()))
    case 'prestateTracer':
      return watchPrestate(context, watched, options.prestate)
    case '4byteTracer':
      return watchSelectors()
    case 'keccak256PreimageTracer':
      return watchHashed()
    case 'erc7562Tracer':
      return watchValidation(context, watched, options.validation)
    case 'script': {
      const { tx, block, place } = watched
      const gasPrice = effectiveGasPriceOf(tx, block.baseFee ?? 0n)
      const traced = { tx, gasPrice, blockNumber: block.number, place: place?.() }
      return watchScript(tools.scripts!, context, traced, options)
    }
    case 'noopTracer':
      return { tracer: undefined, finish: () => ['{}'] }
    case 'muxTracer':
      return watchTogether(options.parts.map((part) => [part.name, watchTx(context, watched, part.options, tools)]))
  }
}
