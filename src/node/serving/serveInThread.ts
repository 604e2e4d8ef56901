import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Config } from '../../config/options.ts'
import type { ServicePlace } from '../../rpc/protocol/context.ts'
import type { ConnectedNode } from '../connectParts.ts'
import type { NodePorts } from '../createRpcPorts.ts'
import { ServerError } from '../fault.ts'
import { readerSettingsOf } from '../readers/readerSettings.ts'
import type { StopList } from '../stopList.ts'
import { createBatches } from './batches.ts'
import { createChainSide } from './chainSide.ts'
import type { FromServers, ToServers } from './messages.ts'
import type { Serving } from './serveRequests.ts'
import type { ServerThreads } from './serverThread.ts'
import { tellServers } from './tellServers.ts'

/** Milliseconds until a thread that has ended is replaced. */
const pause = 1000

/** Milliseconds that a thread has to end in order. */
const stopTime = 5000

/** Servers in a thread that runs. */
interface Running {
  readonly places: ReadonlyMap<string, ServicePlace>
  stop(): Promise<void>
}

/** Serves requests in a thread of its own, so that they take no time from the chain. A thread that dies is replaced. */
export async function serveInThread(
  node: ConnectedNode,
  ports: NodePorts,
  threads: ServerThreads,
  stops: StopList,
): Promise<Serving> {
  const { log } = node
  const counts = { running: 0, waiting: 0 }
  let isStopping = false
  let config = node.config
  let running = await begin()
  const { places } = running
  // Another thread listens where the first one did.
  config = withPorts(config, places)
  let replacing: Promise<void> | undefined
  stops.add(async () => {
    isStopping = true
    await replacing
    await running.stop()
  })

  function begin(): Promise<Running> {
    return startServers({ ...node, config }, ports, threads.take(), (news) => Object.assign(counts, news), onEnd)
  }

  function onEnd(why: string): void {
    if (isStopping) return
    log.error({ why }, 'the thread of the servers has ended, its connections are lost; another one is started: {why}')
    replacing = replace()
  }

  async function replace(): Promise<void> {
    while (!isStopping)
      try {
        running = await begin()
        return
      } catch (error) {
        log.error({ error: String(error) }, 'the thread of the servers cannot be started')
        await sleep(pause)
      }
  }

  return { places, readers: { counts: () => counts } }
}

/** The ports that were free when the servers listened first. */
function withPorts(config: Config, places: ReadonlyMap<string, ServicePlace>): Config {
  const portOf = (service: string, given: number) => places.get(service)?.port ?? given
  return {
    ...config,
    'rpc-http-port': portOf('jsonrpc', config['rpc-http-port']),
    'rpc-ws-port': portOf('ws', config['rpc-ws-port']),
    'graphql-http-port': portOf('graphql', config['graphql-http-port']),
    'explorer-http-port': places.get('explorer')?.port ?? config['explorer-http-port'],
  }
}

/** Has the servers start in a thread; rejects if they cannot. */
function startServers(
  node: ConnectedNode,
  ports: NodePorts,
  worker: Worker,
  onCounts: (counts: { readonly running: number; readonly waiting: number }) => void,
  onEnd: (why: string) => void,
): Promise<Running> {
  const { config, dataPath, loggers, metrics, store, network } = node
  const out = createBatches<ToServers>(worker)
  const { evms } = ports
  let lastSent: unknown
  const nextBlock = () => evms.nextBlock?.()

  function put(message: ToServers): void {
    tellNextBlock()
    out.put(message)
  }

  /** Before anything that was caused by it. */
  function tellNextBlock(): void {
    const now = nextBlock()
    if (now === undefined || now === lastSent) return
    lastSent = now
    out.put({ kind: 'nextBlock', nextBlock: now })
  }

  function onReaderLost(): void {
    metrics.onReaderLost()
    store.forgetDeadReaders()
  }

  const side = createChainSide(node, ports, put)
  const news = tellServers(node, put)
  const stopSharing = store.share(() => out.put({ kind: 'rest' }))
  let isStopping = false
  let isListening = false
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))

  async function stop(): Promise<void> {
    isStopping = true
    out.put({ kind: 'stop' })
    // A call may keep it for longer than anybody waits.
    const timer = setTimeout(() => void worker.terminate(), stopTime)
    await ended
    clearTimeout(timer)
  }

  return new Promise((resolve, reject) => {
    function handle(message: FromServers): void {
      if (message.kind === 'ask') side.answer(message)
      else if (message.kind === 'want') news.want(message.wanted)
      else if (message.kind === 'calls')
        for (const [method, seconds] of message.calls) metrics.onCall?.(method, seconds)
      else if (message.kind === 'readers') onCounts(message.counts)
      else if (message.kind === 'readerLost') onReaderLost()
      else if (message.kind === 'resting') store.rest()
      else if (message.kind === 'log') loggers.child(message.part)[message.level](message.fields, message.text)
      else if (message.kind === 'listening') {
        isListening = true
        resolve({ places: message.places, stop })
      } else if (message.kind === 'failed') {
        reject(message.fault ? new ServerError(message.fault) : new Error(message.message))
        void worker.terminate()
      }
    }
    let why = 'it has ended'
    worker.on('message', (messages: readonly FromServers[]) => {
      for (const message of messages) handle(message)
    })
    worker.on('error', (error) => {
      why = error.stack ?? error.message
      reject(error)
    })
    worker.once('exit', () => {
      news.stop()
      stopSharing()
      reject(new Error(why))
      // One that could not listen is reported by the rejection.
      if (isListening && !isStopping) onEnd(why)
    })
    lastSent = nextBlock()
    out.put({
      kind: 'start',
      start: {
        config,
        settings: readerSettingsOf(config, dataPath),
        version: config['dev-client-version'] ?? node.version,
        networkId: network.networkId,
        served: side.served,
        privacy: ports.privacy?.kind,
        nextBlock: nextBlock(),
      },
    })
  })
}
