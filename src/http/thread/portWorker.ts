import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'
import type { Logger } from '../../primitives/logger.ts'
import { addNiceness } from '../../primitives/threadPriority.ts'
import type { TlsOptions } from '../tls/createTls.ts'
import { type Content, createTeller, forEachEvent, ordered, reported } from './events.ts'
import type { FromThread, LogLevel, PortThreadData, ToThread } from './messages.ts'

/** A connection, and how much of what was written to it has not been reported as sent. */
interface Connection {
  readonly socket: Socket
  unreported: number
}

/** Sent bytes are reported in portions, so that short answers cost no message of their own. */
const reportFrom = 64 * 1024
/** Milliseconds in which a connection that is closed may send what is left. */
const closingTime = 5000
/** By how much this thread, which works for microseconds at a time, is less nice than the node. */
const eager = 5

const [{ tls, host, port }] = (await once(parentPort!, 'message')) as [PortThreadData]
const post = (message: FromThread, owned: ArrayBuffer[] = []) => parentPort!.postMessage(message, owned)
const tell = createTeller(post)
const connections = new Map<number, Connection>()
let lastId = 0

const logAt = (level: LogLevel) => (fields: object, message: string) => post({ kind: 'log', level, fields, message })
const log: Logger = {
  trace: logAt('trace'),
  debug: logAt('debug'),
  info: logAt('info'),
  warn: logAt('warn'),
  error: logAt('error'),
  child: () => log,
}

function open(socket: Socket): void {
  const id = ++lastId
  const connection: Connection = { socket, unreported: 0 }
  connections.set(id, connection)
  socket.on('data', (bytes) => tell(id, reported.received, bytes))
  socket.on('end', () => tell(id, reported.ended, 0))
  socket.on('drain', () => reportSent(id, connection))
  socket.on('finish', () => tell(id, reported.finished, 0))
  // After an error the socket closes.
  socket.on('error', () => {})
  socket.on('close', () => {
    connections.delete(id)
    tell(id, reported.closed, 0)
  })
  tell(id, reported.opened, `${socket.remoteAddress} ${socket.remotePort}`)
}

function send(id: number, connection: Connection, content: string | Uint8Array, encoding?: BufferEncoding): void {
  const { socket } = connection
  if (typeof content === 'string') socket.write(content, encoding)
  else socket.write(content)
  connection.unreported += content.length
  // Otherwise the socket tells when it has drained.
  if (connection.unreported >= reportFrom && !socket.writableNeedDrain) reportSent(id, connection)
}

function reportSent(id: number, connection: Connection): void {
  if (connection.unreported > 0) tell(id, reported.sent, connection.unreported)
  connection.unreported = 0
}

/** Closes a connection when what was written to it is sent; a client that does not read it has to leave all the same. */
function close(socket: Socket): void {
  if (socket.writableLength === 0) return void socket.destroy()
  socket.destroySoon()
  const timer = setTimeout(() => socket.destroy(), closingTime)
  socket.once('close', () => clearTimeout(timer))
}

function obey(id: number, kind: number, content: Content): void {
  const connection = connections.get(id)
  if (!connection) return
  const { socket } = connection
  if (kind === ordered.latin1) send(id, connection, content as string, 'latin1')
  else if (kind === ordered.utf8) send(id, connection, content as string, 'utf8')
  else if (kind === ordered.bytes) send(id, connection, content as Uint8Array)
  else if (kind === ordered.end) socket.end()
  else if (kind === ordered.close) close(socket)
  else if (kind === ordered.pause) socket.pause()
  else if (kind === ordered.resume) socket.resume()
}

/** Ends the thread when what is left has been sent. */
function leave(): void {
  for (const { socket } of connections.values()) close(socket)
  parentPort!.close()
}

/** What it takes is loaded only here: without it the thread starts sooner. Returns what ends handshakes that are under way. */
async function secure(options: TlsOptions): Promise<() => void> {
  const { createTls } = await import('../tls/createTls.ts')
  const { secureConnections } = await import('../tls/secureConnections.ts')
  return secureConnections(server, createTls(options, log))
}

addNiceness(-eager)
// A client that has said all may still wait for answers; the node ends the connection.
const server = createServer({ noDelay: true, allowHalfOpen: true }, open)
const endHandshakes = tls && (await secure(tls))
parentPort!.on('message', (message: ToThread) => {
  if (message === 'stop') {
    server.close()
    endHandshakes?.()
  } else if (message === 'leave') leave()
  else forEachEvent(message, obey)
})
server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
  post({ kind: 'failed', code, message })
  parentPort!.close()
})
server.listen(port, host, () => post({ kind: 'listening', port: (server.address() as AddressInfo).port }))
