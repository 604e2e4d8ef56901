import type { ChainView } from '../../chain/view.ts'
import type { Executor, QueryRequest } from '../../graphql/execute.ts'
import type { GraphqlPorts } from '../../graphql/ports.ts'
import type { ReaderQueryContext } from '../../graphql/serve.ts'
import type { Turns } from '../../primitives/turns.ts'
import type { Evms } from '../../query/evms.ts'
import type { ReaderReply } from '../../readers/readers.ts'
import type { ReaderSettings } from './readerSettings.ts'

interface QueryParts {
  readonly settings: ReaderSettings
  readonly evms: Evms
  readonly turns: Turns
  readonly onInternalError: (error: unknown, method: string) => void
}

type AnswerQuery = (text: string, context: unknown, view: ChainView) => Promise<ReaderReply | undefined>

/** Answers queries of GraphQL that come one after the other; undefined for those that need the pool. */
export function createQueryAnswers({ settings, evms, turns, onInternalError }: QueryParts): AnswerQuery {
  let run: Executor | undefined
  let chain: ChainView
  let context: ReaderQueryContext
  let neededPool = false

  const ports: GraphqlPorts = {
    chain: () => chain,
    evm: evms.fast,
    beneficiaryOf: evms.beneficiaryOf,
    get pool(): never {
      neededPool = true
      throw new TypeError('a reader has no pool')
    },
    prices: settings.limits.gasPrice,
    minGasPrice: () => context.minGasPrice,
    syncStatus: () => context.sync,
  }

  /** The library and the schema are loaded when the first query comes. */
  async function load(): Promise<Executor> {
    const { createExecutor } = await import('../../graphql/execute.ts')
    const { gasCap, longAsHex } = settings
    const more = {
      now: () => performance.now(),
      onInternalError: (error: unknown) => {
        if (!neededPool) onInternalError(error, 'graphql')
      },
      turns,
    }
    // Not copied: the pool must not be looked at before a query does.
    return createExecutor({ gasCap, longAsHex }, Object.assign(Object.create(ports) as GraphqlPorts, more))
  }

  return async (text, given, view) => {
    run ??= await load()
    chain = view
    context = given as ReaderQueryContext
    neededPool = false
    const { mayRun } = context
    const reply = await run(JSON.parse(text) as QueryRequest, mayRun && ((operation) => mayRun[operation]))
    return neededPool ? undefined : { status: reply.status, body: JSON.stringify(reply.body) }
  }
}
