import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Logger } from '../../primitives/logger.ts'
import type { ServerAddress } from '../listen.ts'
import type { TlsOptions } from '../tls/createTls.ts'
import { type Content, createTeller, forEachEvent, reported } from './events.ts'
import type { FromThread, PortThreadData, ToThread } from './messages.ts'
import { type SpareThread, startPortWorker } from './spareThread.ts'
import { createThreadSocket, type ThreadSocket } from './threadSocket.ts'

/** Milliseconds until a thread that has died is replaced. */
const pause = 1000

/** What a thread is to do with its port. */
export interface PortThreadOptions {
  /** Speaks TLS, and only that. */
  readonly tls: TlsOptions | undefined
  readonly log: Logger
  /** The thread, if one was started ahead. */
  readonly spare?: SpareThread | undefined
}

/** A port whose connections are held by a thread of its own. */
export interface ThreadPort {
  readonly port: number
  /** Accepts no more connections; resolves when the last one is closed, after so many milliseconds by force. */
  close(grace: number): Promise<void>
}

/** A thread that listens. */
interface PortThread {
  readonly worker: Worker
  readonly port: number
  /** Its connections by their numbers. */
  readonly connections: Map<number, ThreadSocket>
}

/**
 * Accepts connections for a server in another thread: the system calls of each connection, handshakes and encryption take no time
 * from the chain. The server gets the connections as if they were its own. A thread that dies is replaced.
 */
export async function listenInThread(
  server: Server,
  address: ServerAddress,
  options: PortThreadOptions,
): Promise<ThreadPort> {
  const { log } = options
  let isClosing = false
  let replaced: Promise<void> | undefined
  let thread = await startThread(server, address, options)
  const { port } = thread
  watch()
  // What Node does when a server listens: it begins to look for clients that are too slow.
  server.emit('listening')

  function watch(): void {
    thread.worker.once('exit', () => {
      destroyAll()
      if (isClosing) return
      log.error({ port }, 'the thread of port {port} has ended, its connections are lost; another one is started')
      replaced = replace()
    })
  }

  async function replace(): Promise<void> {
    while (!isClosing)
      try {
        thread = await startThread(server, { ...address, port }, options)
        return watch()
      } catch (error) {
        log.error({ port, error }, 'the thread of port {port} cannot be started')
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
    // It does not listen, which it says by an error.
    server.close(() => {})
    await replaced
    const { worker } = thread
    if (hasExited(worker)) return
    const hasEnded = once(worker, 'exit')
    worker.postMessage('stop' satisfies ToThread)
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

const hasExited = (worker: Worker): boolean => worker.threadId === -1

/** Starts a thread; rejects if it cannot listen. */
function startThread(
  server: Server,
  { host, port }: ServerAddress,
  { tls, log, spare }: PortThreadOptions,
): Promise<PortThread> {
  const worker = spare?.take() ?? startPortWorker()
  worker.postMessage({ tls, host, port } satisfies PortThreadData)
  const tell = createTeller((events, owned) => worker.postMessage(events satisfies ToThread, owned))
  const connections = new Map<number, ThreadSocket>()

  function handle(id: number, kind: number, content: Content): void {
    if (kind === reported.opened) open(id, content as string)
    else connections.get(id)?.handle(kind, content)
  }

  function open(id: number, remote: string): void {
    const connection = createThreadSocket(id, remote, tell)
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
      log.error({ error }, 'the thread of a port has failed')
      reject(error)
    })
    worker.once('exit', () => reject(new Error('the thread has ended')))
  })
}
