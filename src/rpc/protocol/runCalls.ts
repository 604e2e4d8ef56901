import type { Params } from '../../jsonrpc/readCall.ts'
import { andThen } from '../../primitives/andThen.ts'
import { createRequestBudget, type TrialLimits } from '../../query/requestBudget.ts'
import type { Turns } from '../../system/turns.ts'
import type { Outcome } from './chainCalls.ts'
import type { FaultTable } from './codes.ts'
import type { RpcPorts } from './context.ts'
import type { Hold } from './dispatcher.ts'
import { errorObjectOf, type OnInternalError } from './errorObject.ts'
import type { Method } from './method.ts'
import { hasPorts } from './portChecks.ts'
import type { Requester } from './requester.ts'

export interface CallRunnerOptions {
  readonly methods: readonly Method[]
  readonly ports: RpcPorts
  readonly faults: FaultTable
  readonly onInternalError: OnInternalError
  readonly limits: TrialLimits
  /** Keeps the view of the chain open while a call is not finished. */
  readonly hold: Hold
  /** Shares the thread with those who make blocks. */
  readonly turns: Turns
}

/** Runs single calls that another thread has read, and whose callers it has checked. */
export interface CallRunner {
  /** The methods that can be run. */
  readonly names: readonly string[]
  run(name: string, params: Params, requester: Requester): Outcome | Promise<Outcome>
}

export function createCallRunner({ ports, hold, turns, limits, methods, ...errors }: CallRunnerOptions): CallRunner {
  const served = new Map(methods.filter((one) => hasPorts(one, ports)).map((one) => [one.name, one]))

  function run(method: Method, params: Params, requester: Requester): Outcome | Promise<Outcome> {
    const failed = (error: unknown): Outcome => ({ error: errorObjectOf(error, method.name, errors) })
    try {
      const result = method.run(ports, params, createRequestBudget(limits), requester)
      const finish = (text: string | Iterable<string>): Outcome => ({
        result: typeof text === 'string' ? text : [...text].join(''),
      })
      if (!(result instanceof Promise)) return finish(result)
      const release = hold()
      return result.then(finish).catch(failed).finally(release)
    } catch (error) {
      return failed(error)
    }
  }

  return {
    names: [...served.keys()],
    run(name, params, requester) {
      const method = served.get(name)
      if (!method) return { error: errorObjectOf(new TypeError(`${name} does not run here`), name, errors) }
      return andThen(
        turns.run(() => run(method, params, requester)),
        (outcome) => outcome,
      )
    },
  }
}
