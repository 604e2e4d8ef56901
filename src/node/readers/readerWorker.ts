import { join } from 'node:path'
import { loadNetwork, networkOf } from '../../chainData/network.ts'
import { createVotes } from '../../consensus/voting/votes.ts'
import { consoleAddress, createConsoleTracer } from '../../dev/consoleLog.ts'
import { createEvms } from '../../query/evms.ts'
import { type Answering, answerRequests, type SendToNode } from '../../readers/answerRequests.ts'
import { methods } from '../../rpc/methods/all.ts'
import type { RpcPorts } from '../../rpc/protocol/context.ts'
import { createDispatcher } from '../../rpc/protocol/dispatch.ts'
import { httpTransport } from '../../rpc/protocol/dispatcher.ts'
import { faultTable } from '../../rpc/protocol/faultTable.ts'
import { namespaceOf } from '../../rpc/protocol/method.ts'
import { onlyReads } from '../../rpc/protocol/onlyReads.ts'
import { systemClock } from '../../system/clock.ts'
import { authorityPorts } from '../ports/authorityPorts.ts'
import { createTraceFolder } from '../ports/traceFolder.ts'
import { createQueryAnswers } from './queryAnswers.ts'
import { openReadChain } from './readChain.ts'
import type { ReaderSettings, RpcRequestContext } from './readerSettings.ts'

// The process behind a reader.

/** Nothing else runs here: a request never has to wait for another turn. */
const oneTurn = {
  run: <T>(work: () => T | Promise<T>) => work(),
  isOver: () => false,
  later: async <T>(work: () => T | Promise<T>) => work(),
  spend() {},
}

function open(settings: ReaderSettings, sendToNode: SendToNode): Answering {
  const { dataPath, genesis, networkId, limits, gasCap, callTime } = settings
  const network = genesis
    ? networkOf(genesis.path, genesis.text, networkId)
    : loadNetwork(undefined, networkId, settings.dev)
  const chain = openReadChain(dataPath, network)
  const { consensus } = chain
  let nextBlock: RpcRequestContext['nextBlock'] = {}
  const evms = createEvms(
    {
      beneficiaryOf: consensus.beneficiary,
      rewardOf: consensus.reward,
      ...(network.isDev && { nextBlock: () => nextBlock }),
    },
    network.isDev
      ? { address: consoleAddress, tracer: createConsoleTracer((text) => sendToNode({ kind: 'printed', text })) }
      : undefined,
  )
  const traces = createTraceFolder(dataPath, systemClock)
  const served = methods.filter(onlyReads)
  const onInternalError = (error: unknown, method: string) =>
    sendToNode({ kind: 'error', method, text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  const dispatcher = createDispatcher({
    methods: served,
    // The node has checked names, permissions and the size of batches.
    knownNames: new Set(),
    namespaces: [...new Set(served.map(({ name }) => namespaceOf(name)))],
    transport: httpTransport(0),
    faults: faultTable,
    onInternalError,
    limits: { gasCap, time: callTime },
    turns: oneTurn,
  })
  // Nobody votes through a reader.
  const authorities = authorityPorts(network.spec, consensus, createVotes())
  const answerQuery = createQueryAnswers({ settings, evms, turns: oneTurn, onInternalError })

  return {
    folder: join(dataPath, 'traces'),
    rest: chain.rest,
    answer({ kind, text, heads, context }) {
      // One view for all calls of a batch.
      const view = chain.viewAt(heads)
      if (kind === 'graphql') return answerQuery(text, context, view)
      nextBlock = (context as RpcRequestContext | undefined)?.nextBlock ?? {}
      const ports: RpcPorts = { ...authorities, chain: () => view, evms, limits, traces }
      return dispatcher.dispatch(text, ports)
    },
  }
}

answerRequests((settings, sendToNode) => open(settings as ReaderSettings, sendToNode))
