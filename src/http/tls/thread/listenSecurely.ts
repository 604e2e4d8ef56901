import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../../primitives/packageRoot.ts'
import type { ServerAddress } from '../../listen.ts'
import type { Tls } from '../createTls.ts'
import { type Content, createTell, forEachEvent, reported } from './events.ts'
import type { FromThread, TlsThreadData, ToThread } from './messages.ts'
import { createThreadSocket, type ThreadSocket } from './threadSocket.ts'

/** Megabytes of JavaScript objects; what is received and sent lies outside. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 }
/** Milliseconds until a thread that has died is replaced. */
const pause = 1000

/** A port that speaks TLS in a thread of its own. */
export interface SecurePort {
  readonly port: number
  /** Accepts no more connections; resolves when the last one is closed, after so many milliseconds by force. */
  close(grace: number): Promise<void>
}

/** A thread that listens. */
interface TlsThread {
  readonly worker: Worker
  readonly port: number
  /** Its connections by their numbers. */
  readonly connections: Map<number, ThreadSocket>
}

/**
 * Accepts TLS connections for a server in another thread: handshakes, encryption and the system calls of each connection take no
 * time from the chain. The server gets the connections as if they were its own. A thread that dies is replaced.
 * With `version`, the server may let the thread repeat replies as long as that number does not change.
 */
export async function listenSecurely(
  server: Server,
  address: ServerAddress,
  tls: Tls,
  version?: Int32Array,
): Promise<SecurePort> {
  let isClosing = false
  let thread = await startThread(server, address, tls, version)
  const { port } = thread
  watch()
  // What Node does when a server listens: it begins to look for clients that are too slow.
  server.emit('listening')

  function watch(): void {
    thread.worker.once('exit', () => {
      destroyAll()
      if (isClosing) return
      tls.log.error({}, 'the thread of TLS has ended, its connections are lost; another one is started')
      void replace()
    })
  }

  async function replace(): Promise<void> {
    while (!isClosing)
      try {
        thread = await startThread(server, { ...address, port }, tls, version)
        return watch()
      } catch (error) {
        tls.log.error({ error }, 'the thread of TLS cannot be started')
        await sleep(pause)
      }
  }

  function destroyAll(): void {
    for (const { socket } of thread.connections.values()) socket.destroy()
  }

  async function areClosed(): Promise<void> {
    await Promise.all([...thread.connections.values()].map(({ socket }) => once(socket, 'close')))
  }

  async function end(grace: number): Promise<void> {
    isClosing = true
    const { worker } = thread
    const hasEnded = once(worker, 'exit')
    worker.postMessage('stop' satisfies ToThread)
    // It does not listen, which it says by an error.
    server.close(() => {})
    server.closeIdleConnections()
    const timer = setTimeout(destroyAll, grace)
    await areClosed()
    clearTimeout(timer)
    // The orders of this turn of the event loop come first.
    await new Promise(setImmediate)
    worker.postMessage('leave' satisfies ToThread)
    await hasEnded
  }

  let ending: Promise<void> | undefined
  return { port, close: (grace) => (ending ??= end(grace)) }
}

/** Starts a thread; rejects if it cannot listen. */
function startThread(
  server: Server,
  { host, port }: ServerAddress,
  { options, log }: Tls,
  version: Int32Array | undefined,
): Promise<TlsThread> {
  const workerData: TlsThreadData = { options, host, port, version }
  const worker = new Worker(workerUrl('http/tls/thread/tlsWorker.ts'), { workerData, resourceLimits })
  const tell = createTell((events, owned) => worker.postMessage(events satisfies ToThread, owned))
  const connections = new Map<number, ThreadSocket>()

  function handle(id: number, kind: number, content: Content): void {
    if (kind !== reported.opened) {
      connections.get(id)?.handle(kind, content)
      return
    }
    const connection = createThreadSocket(id, content as string, tell, version)
    connections.set(id, connection)
    connection.socket.once('close', () => connections.delete(id))
    server.emit('connection', connection.socket)
  }

  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromThread) => {
      if ('list' in message) forEachEvent(message, handle)
      else if (message.kind === 'log') log[message.level](message.fields, message.message)
      else if (message.kind === 'listening') resolve({ worker, port: message.port, connections })
      else reject(Object.assign(new Error(message.message), { code: message.code }))
    })
    worker.on('error', (error) => {
      log.error({ error }, 'the thread of TLS has failed')
      reject(error)
    })
  })
}
