import { parentPort } from 'node:worker_threads'
import { loadNetwork, networkOf } from '../../chainData/network.ts'
import { consoleAddress, createConsoleTracer } from '../../dev/consoleLog.ts'
import { createEvms } from '../../query/evms.ts'
import type { ReaderCounts } from '../../readers/createReaders.ts'
import type { PrivateLogsFor } from '../../rpc/protocol/privacyPorts.ts'
import type { Requester } from '../../rpc/protocol/requester.ts'
import { systemClock } from '../../system/clock.ts'
import { ServerError } from '../fault.ts'
import { apiLimitsOf } from '../options/apiLimits.ts'
import { createCurrentView } from '../ports/currentView.ts'
import { createTraceFolder } from '../ports/traceFolder.ts'
import { openReadOnly } from '../readers/readChain.ts'
import { createStopList, type StopList } from '../stopList.ts'
import { createBatches } from './batches.ts'
import { createAccess } from './createAccess.ts'
import type { Asker, FromServers, ServingStart, ToServers } from './messages.ts'
import { createRemoteChain } from './remoteChain.ts'
import { createRemoteFeeds, type RemoteFeeds } from './remoteFeeds.ts'
import { createRemoteLog } from './remoteLog.ts'
import { serveRequests } from './serveRequests.ts'

// The thread of the servers: it holds all connections of clients and reads the database from snapshots of its own. What needs the pool,
// peers, votes or private transactions it asks the thread of the chain.

const out = createBatches<FromServers>(parentPort!)
const { remote, onAnswer } = createRemoteChain(out)
const log = createRemoteLog(out.put, 'node')
const stops: StopList = createStopList()
let onMessage: (message: ToServers) => void = () => {}

/** Milliseconds between two reports of calls and readers to the metrics. */
const reportInterval = 200

const askerOf = ({ isAuthenticated, privacyPublicKey }: Requester): Asker => ({ isAuthenticated, privacyPublicKey })

async function start(given: ServingStart): Promise<void> {
  const { config, settings, version, networkId, served, privacy } = given
  let { nextBlock } = given
  const { genesis, dataPath } = settings
  const network = genesis
    ? networkOf(genesis.path, genesis.text, settings.networkId)
    : loadNetwork(undefined, settings.networkId, settings.dev)
  const chain = openReadOnly(dataPath, network)
  stops.add(chain.store.close)
  const remoteFeeds: RemoteFeeds = createRemoteFeeds(
    () => current.get(),
    (wanted) => out.put({ kind: 'want', wanted }),
  )
  const { feeds, onNewHead, onPrivateLogs } = remoteFeeds
  const current = createCurrentView(
    {
      openView: chain.openView,
      // Blocks are decoded when somebody asks for them.
      onHead: (listener) => onNewHead(() => listener({ added: [] })),
    },
    systemClock,
  )
  stops.add(current.close)
  onMessage = (message) => {
    if (message.kind === 'nextBlock') nextBlock = message.nextBlock
    else if (message.kind === 'rest') {
      chain.store.rest()
      out.put({ kind: 'resting' })
      out.flush()
    } else remoteFeeds.receive(message)
  }

  const { beneficiary, reward } = chain.consensus
  const contractLog = createRemoteLog(out.put, 'console')
  const evms = createEvms(
    { beneficiaryOf: beneficiary, rewardOf: reward, ...(nextBlock && { nextBlock: () => nextBlock! }) },
    network.isDev
      ? { address: consoleAddress, tracer: createConsoleTracer((text) => contractLog.info({}, text)) }
      : undefined,
  )
  const privateLogs: PrivateLogsFor | undefined = privacy && {
    kind: privacy,
    of: (requester) => ({
      maySee: (group) => remote.maySee(group, askerOf(requester)),
      onLogs: onPrivateLogs,
    }),
  }
  const known = new Set(served)
  const access = await createAccess(config)
  stops.add(access.close)
  const calls: (readonly [string, number, number])[] = []
  const { places, readers } = await serveRequests(
    {
      ...{ config, settings, clock: systemClock, log, contractLog, current, feeds, access },
      ports: {
        chain: current.get,
        client: { version, networkId },
        evms,
        limits: apiLimitsOf(config),
        privateLogs,
        traces: createTraceFolder(dataPath, systemClock),
      },
      chainCalls: {
        serves: (name) => known.has(name),
        call: (name, params, requester) => remote.call(name, params, askerOf(requester)),
      },
      queries: {
        pool: { entries: remote.entries, statistics: remote.statistics, submit: remote.submit },
        minGasPrice: remote.minGasPrice,
        syncStatus: remote.syncStatus,
      },
      health: { peerCount: remote.peerCount, blocksBehind: remote.blocksBehind, state: remote.state },
      onCall: (method, seconds) => void calls.push([method, seconds, Date.now()]),
      onReaderLost: (loss) => out.put({ kind: 'readerLost', loss }),
    },
    stops,
  )
  stops.add(reporting(calls, readers?.counts))
  out.put({ kind: 'listening', places })
}

/** Tells metrics of the calls that were answered, and of the readers that run. */
function reporting(calls: (readonly [string, number, number])[], counts: (() => ReaderCounts) | undefined): () => void {
  let last = ''
  const timer = setInterval(() => {
    if (calls.length > 0) out.put({ kind: 'calls', calls: calls.splice(0) })
    const now = counts?.()
    if (!now || JSON.stringify(now) === last) return
    last = JSON.stringify(now)
    out.put({ kind: 'readers', counts: now })
  }, reportInterval)
  return () => clearInterval(timer)
}

function tellFailure(error: unknown): void {
  const fault = error instanceof ServerError ? error.at : undefined
  out.put({ kind: 'failed', fault, message: error instanceof Error ? error.message : String(error) })
}

async function stop(): Promise<void> {
  await stops.stopAll()
  out.put({ kind: 'stopped' })
  out.flush()
  parentPort!.close()
}

parentPort!.on('message', (messages: readonly ToServers[]) => {
  for (const message of messages)
    if (message.kind === 'answer' || message.kind === 'refusal' || message.kind === 'failure') onAnswer(message)
    else if (message.kind === 'start') start(message.start).catch(tellFailure)
    else if (message.kind === 'stop') void stop()
    else onMessage(message)
})
