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

/** What is told of a thread of servers. */
interface ThreadEvents {
  /** Readers that run, and requests that wait for one. */
  onCounts(counts: { readonly running: number; readonly waiting: number }): void
  /** It has ended though it was not stopped. */
  onEnd(why: string): void
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
    const events: ThreadEvents = { onCounts: (news) => Object.assign(counts, news), onEnd }
    return new ServersThread({ ...node, config }, ports, threads.take(), events).start()
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

/** The thread of the servers, as the thread of the chain sees it. */
class ServersThread {
  private readonly node: ConnectedNode
  private readonly ports: NodePorts
  private readonly worker: Worker
  private readonly events: ThreadEvents
  private readonly out: ReturnType<typeof createBatches<ToServers>>
  private readonly side: ReturnType<typeof createChainSide>
  private readonly news: ReturnType<typeof tellServers>
  private readonly stopSharing: () => void
  private readonly ended: Promise<void>
  private lastSent: unknown
  private isStopping = false
  private isListening = false

  constructor(node: ConnectedNode, ports: NodePorts, worker: Worker, events: ThreadEvents) {
    this.node = node
    this.ports = ports
    this.worker = worker
    this.events = events
    this.out = createBatches<ToServers>(worker)
    this.side = createChainSide(node, ports, this.put)
    this.news = tellServers(node, this.put)
    this.stopSharing = node.store.share(() => this.out.put({ kind: 'rest' }))
    this.ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  }

  private nextBlock() {
    return this.ports.evms.nextBlock?.()
  }

  private readonly put = (message: ToServers): void => {
    this.tellNextBlock()
    this.out.put(message)
  }

  /** Before anything that was caused by it. */
  private tellNextBlock(): void {
    const now = this.nextBlock()
    if (now === undefined || now === this.lastSent) return
    this.lastSent = now
    this.out.put({ kind: 'nextBlock', nextBlock: now })
  }

  private onReaderLost(): void {
    this.node.metrics.onReaderLost()
    this.node.store.forgetDeadReaders()
  }

  private async stop(): Promise<void> {
    this.isStopping = true
    this.out.put({ kind: 'stop' })
    // A call may keep it for longer than anybody waits.
    const timer = setTimeout(() => void this.worker.terminate(), stopTime)
    await this.ended
    clearTimeout(timer)
  }

  private handle(message: FromServers, resolve: (running: Running) => void, reject: (error: Error) => void): void {
    const { metrics, store, loggers } = this.node
    if (message.kind === 'ask') this.side.answer(message)
    else if (message.kind === 'want') this.news.want(message.wanted)
    else if (message.kind === 'calls') for (const call of message.calls) metrics.onCall?.(...call)
    else if (message.kind === 'readers') this.events.onCounts(message.counts)
    else if (message.kind === 'readerLost') this.onReaderLost()
    else if (message.kind === 'resting') store.rest()
    else if (message.kind === 'log') loggers.child(message.part)[message.level](message.fields, message.text)
    else if (message.kind === 'listening') {
      this.isListening = true
      resolve({ places: message.places, stop: () => this.stop() })
    } else if (message.kind === 'failed') {
      reject(message.fault ? new ServerError(message.fault) : new Error(message.message))
      void this.worker.terminate()
    }
  }

  /** Has the servers start; rejects if they cannot. */
  start(): Promise<Running> {
    return new Promise((resolve, reject) => {
      let why = 'it has ended'
      this.worker.on('message', (messages: readonly FromServers[]) => {
        for (const message of messages) this.handle(message, resolve, reject)
      })
      this.worker.on('error', (error) => {
        why = error.stack ?? error.message
        reject(error)
      })
      this.worker.once('exit', () => {
        this.news.stop()
        this.stopSharing()
        reject(new Error(why))
        // One that could not listen is reported by the rejection.
        if (this.isListening && !this.isStopping) this.events.onEnd(why)
      })
      this.lastSent = this.nextBlock()
      this.sendStart()
    })
  }

  private sendStart(): void {
    const { config, dataPath, network, version } = this.node
    this.out.put({
      kind: 'start',
      start: {
        config,
        settings: readerSettingsOf(config, dataPath),
        version: config['dev-client-version'] ?? version,
        networkId: network.networkId,
        served: this.side.served,
        privacy: this.ports.privacy?.kind,
        nextBlock: this.nextBlock(),
      },
    })
  }
}
