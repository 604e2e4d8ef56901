import type { Spill } from '../../execution/tracing/byteLog.ts'
import type { TxWatch } from '../../execution/tracing/traceTxs.ts'
import type { RpcContext, TracesPort } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'

/** Milliseconds that all traced calls of a request may take: nobody else is answered meanwhile. geth gives one as long. */
const maxTime = 5000
/** Asking for the time costs as much as a few steps. */
const eventsPerLook = 4096

/** What traces of one request are made with. */
export interface TraceBounds {
  readonly traces: TracesPort
  /** The same watch, which gives up with a fault when the request's time is over. */
  within<T>(watch: TxWatch<T>): TxWatch<T>
}

/** Makes the traces of a request in the time that it has; whatever ends it, nothing stays open. */
export function boundedTrace<T>(
  { traces, budget }: Pick<RpcContext, 'traces' | 'budget'>,
  make: (bounds: TraceBounds) => T,
  now: () => number = () => performance.now(),
): T {
  const spills: Spill[] = []
  const began = now()
  const end = began + budget.traceTime(maxTime)
  let events = 0

  function openSpill(): Spill {
    const spill = traces.openSpill()
    spills.push(spill)
    return spill
  }

  function count(): void {
    if (++events % eventsPerLook === 0 && now() > end)
      throw new RpcError({ code: 'TIMEOUT', detail: `tracing took over ${maxTime / 1000} s; give the call less gas` })
  }

  try {
    return make({ traces: { ...traces, openSpill }, within: (watch) => counting(watch, count) })
  } catch (error) {
    // Otherwise the reader of the traces closes them.
    for (const spill of spills) spill.close()
    throw error
  } finally {
    budget.spendTraceTime(now() - began)
  }
}

/** The same watch that also reports each event. */
function counting<T>(watch: TxWatch<T>, count: () => void): TxWatch<T> {
  const { tracer } = watch
  if (!tracer) return watch
  const counted =
    <E>(hook: (event: E) => void) =>
    (event: E): void => {
      count()
      hook.call(tracer, event)
    }
  const { onStep, onStepEnd, onEnter } = tracer
  return {
    tracer: {
      ...tracer,
      ...(onStep && { onStep: counted(onStep) }),
      ...(onStepEnd && { onStepEnd: counted(onStepEnd) }),
      ...(onEnter && { onEnter: counted(onEnter) }),
    },
    finish: (outcome) => watch.finish(outcome),
  }
}
