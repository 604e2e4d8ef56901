import type { TraceContext } from '../../../execution/tracing/traceContext.ts'
import type { TxWatch } from '../../../execution/tracing/traceTxs.ts'
import { andThen } from '../../../primitives/andThen.ts'
import type { ApiLimits } from '../../protocol/context.ts'
import { RpcError } from '../../protocol/fault.ts'
import { type ScriptOptions, scriptTimeOf, type TraceOptions, traceOptions } from '../traceOptions.ts'
import { createScriptClock, maxScriptTime, type ScriptClock, scriptGrace } from './scriptClock.ts'
import { loadScriptEngine, type ScriptEngine, ScriptFailure } from './scriptEngine.ts'
import { ScriptTracer, type ScriptTx } from './scriptTracer.ts'

/** What tracers in JavaScript of one request run with. */
export interface ScriptRun {
  readonly engine: ScriptEngine
  readonly clock: ScriptClock
}

/** Traces with what the options need: an interpreter of JavaScript, which has to be loaded first, or nothing. */
export function withScripts<T>(
  options: TraceOptions,
  { allowsScripts = false }: ApiLimits,
  trace: (scripts: ScriptRun | undefined) => T,
): T | Promise<Awaited<T>> {
  if (scriptTimeOf(options) === undefined) return trace(undefined) as Awaited<T>
  if (!allowsScripts) throw new RpcError({ code: 'SCRIPTS_NEED_READERS' })
  return andThen(loadScriptEngine(), (engine) => trace({ engine, clock: createScriptClock() }))
}

/** Watches a transaction by a tracer of the caller's own. */
export function watchScript(
  { engine, clock }: ScriptRun,
  context: TraceContext,
  traced: ScriptTx,
  { code, config, time }: ScriptOptions,
): TxWatch<Iterable<string>> {
  if (clock.isUsedUp())
    return { tracer: undefined, finish: () => failed('execution timeout at an earlier transaction') }
  const script = new ScriptTracer(engine, context, traced, { code, config, isOver: clock.begin(time) })
  return {
    tracer: script.tracer,
    finish(outcome) {
      try {
        return [script.finish(outcome)]
      } catch (error) {
        if (!(error instanceof ScriptFailure)) throw error
        return failed(error.message)
      }
    },
  }
}

function failed(detail: string): never {
  throw new RpcError({ code: 'TRACER_FAILED', detail })
}

/** What a tracer of the caller's own did wrong; undefined for other errors. */
export function scriptErrorOf(error: unknown): string | undefined {
  return error instanceof RpcError && error.at.code === 'TRACER_FAILED' ? error.at.detail : undefined
}

/**
 * Milliseconds after which a reader is ended that runs a tracer of the caller's own; undefined for other tracers. Usually the
 * tracer is interrupted long before.
 */
export function scriptLimit(json: unknown, isWholeBlock: boolean): number | undefined {
  try {
    const time = scriptTimeOf(traceOptions.decode(json))
    return time === undefined ? undefined : (isWholeBlock ? maxScriptTime : time) + scriptGrace
  } catch {
    return undefined
  }
}
