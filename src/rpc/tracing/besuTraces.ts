import type { TxOutcome } from '../../execution/runTx.ts'
import type { BesuFrameSink } from '../../execution/tracing/besuFrame.ts'
import { createBesuFrames } from '../../execution/tracing/besuFrames.ts'
import { createByteLog } from '../../execution/tracing/byteLog.ts'
import type { FlatTrace } from '../../execution/tracing/flatTrace.ts'
import { createFlatTracer } from '../../execution/tracing/flatTracer.ts'
import { type AccountDiff, diffStates } from '../../execution/tracing/stateDiff.ts'
import type { TraceContext } from '../../execution/tracing/traceContext.ts'
import type { TxWatch } from '../../execution/tracing/traceTxs.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Tx } from '../../types/transaction.ts'
import type { TracesPort } from '../protocol/context.ts'
import type { TraceType } from './traceTypes.ts'
import { createVmTraceText } from './vmTraceText.ts'

/** What TRACE methods return for a transaction; undefined where it was not asked for. */
export interface BesuTraces {
  readonly outcome: TxOutcome
  readonly flat: FlatTrace[] | undefined
  readonly vm: Iterable<string> | undefined
  readonly diff: readonly AccountDiff[] | undefined
}

/** A transaction, with its position where it is in the chain. */
interface WatchedTx {
  readonly tx: Tx
  readonly sender: Address
  readonly index?: number
}

/** Watches a transaction for the kinds of traces that are wanted. */
export function watchBesuTraces(
  context: TraceContext,
  { tx, sender, index }: WatchedTx,
  types: ReadonlySet<TraceType>,
  { openSpill }: TracesPort,
): TxWatch<BesuTraces> {
  const flat = types.has('trace') ? createFlatTracer(tx, sender, index !== undefined) : undefined
  const vm = types.has('vmTrace') ? createVmTraceText(tx, createByteLog(openSpill)) : undefined
  const before = types.has('stateDiff') ? context.before() : undefined
  const sinks: BesuFrameSink[] = []
  if (flat) sinks.push(flat.sink)
  if (vm) sinks.push(vm.sink)
  const frames = sinks.length > 0 ? createBesuFrames(context.evm, context.rules, sinks, vm !== undefined) : undefined
  return {
    tracer: frames?.tracer,
    finish(outcome) {
      frames?.finish(outcome.halt)
      return {
        outcome,
        flat: flat?.finish(outcome),
        vm: vm?.finish(),
        diff: before && diffStates(before, context.after()),
      }
    },
  }
}
