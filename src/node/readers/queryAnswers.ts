import type { ChainView } from '../../chain/view.ts'
import type { Executor, QueryRequest } from '../../graphql/execute.ts'
import type { GraphqlPorts } from '../../graphql/ports.ts'
import type { ReaderQueryContext } from '../../graphql/serve.ts'
import type { Evms } from '../../query/evms.ts'
import type { ReaderReply } from '../../readers/readers.ts'
import type { Turns } from '../../system/turns.ts'
import type { ReaderSettings } from './readerSettings.ts'

interface QueryParts {
  readonly settings: ReaderSettings
  readonly evms: Evms
  readonly turns: Turns
  readonly onInternalError: (error: unknown, method: string) => void
}

type AnswerQuery = (text: string, context: unknown, view: ChainView) => Promise<ReaderReply>

/** Answers queries of GraphQL that come one at a time. */
export function createQueryAnswers({ settings, evms, turns, onInternalError }: QueryParts): AnswerQuery {
  let run: Executor | undefined
  let chain: ChainView

  const ports: GraphqlPorts = {
    chain: () => chain,
    evm: evms.fast,
    beneficiaryOf: evms.beneficiaryOf,
    // The node passes on only what needs none of these.
    pool: { entries: unwanted, statistics: unwanted, submit: unwanted },
    prices: settings.limits.gasPrice,
    maxBlocksRange: settings.limits.maxBlocksRange ?? 0,
    minGasPrice: unwanted,
    syncStatus: unwanted,
  }

  /** The library and the schema are loaded when the first query comes. */
  async function load(): Promise<Executor> {
    const { createExecutor } = await import('../../graphql/execute.ts')
    const { gasCap, longAsHex } = settings
    const more = {
      now: () => performance.now(),
      onInternalError: (error: unknown) => onInternalError(error, 'graphql'),
      turns,
    }
    return createExecutor({ gasCap, longAsHex }, { ...ports, ...more })
  }

  return async (text, given, view) => {
    run ??= await load()
    chain = view
    const { mayRun } = given as ReaderQueryContext
    const reply = await run(JSON.parse(text) as QueryRequest, mayRun && ((operation) => mayRun[operation]))
    return { status: reply.status, body: JSON.stringify(reply.body) }
  }
}

function unwanted(): never {
  throw new TypeError('a reader has the chain only')
}
