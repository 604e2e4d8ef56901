import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'
import type { Logger } from '../../primitives/logger.ts'
import { addNiceness } from '../../primitives/threadPriority.ts'
import { directSocket } from '../directReads.ts'
import type { TlsOptions } from '../tls/createTls.ts'
import { type Content, createTeller, forEachEvent, noConnection, ordered, reported } from './events.ts'
import type { FromThread, LogLevel, PortThreadData, ToThread } from './messages.ts'
import { readRenew, readRepeat } from './repeatOrder.ts'
import { createRepeats, type Echo, maxRepeated, type Sent } from './repeats.ts'

/** A connection, and how much of what was written to it has not been reported as sent. */
interface Connection {
  readonly socket: Socket
  unreported: number
  /** Bytes that the node was told of. */
  received: number
  /** The last of them, and what the node sent since. */
  request: Buffer | undefined
  reply: Sent
  /** Pieces in which the node has sent it. */
  parts: number
  /** Set if the node has answered all that it was told of, and the thread may answer the next request. */
  echo: Echo | undefined
  /** Requests that were answered here, and not reported yet. */
  repeated: number
}

/** Sent bytes are reported in portions, so that short answers cost no message of their own. */
const reportFrom = 64 * 1024
/** Milliseconds in which a connection that is closed may send what is left. */
const closingTime = 5000
/** Bytes from which a request is not remembered: its memory goes to the node. */
const longRequest = 16 * 1024
/** Unsent bytes of a connection above which the node answers, which waits for slow clients. */
const maxWaiting = 64 * 1024
/** Milliseconds between reports of the connections whose requests were answered here, and of the replies. */
const reportEvery = { connections: 5000, replies: 1000 }
/** By how much this thread, which works for microseconds at a time, is less nice than the node. */
const eager = 5
const nothing: Sent = { content: '', encoding: 'latin1' }

const [{ tls, host, port, version }] = (await once(parentPort!, 'message')) as [PortThreadData]
const post = (message: FromThread, owned: ArrayBuffer[] = []) => parentPort!.postMessage(message, owned)
const { tell } = createTeller(post)
const connections = new Map<number, Connection>()
const repeats = version && createRepeats(version)
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

function open(accepted: Socket): void {
  const id = ++lastId
  const direct = directSocket(accepted)
  const { socket } = direct
  const connection: Connection = {
    socket,
    unreported: 0,
    received: 0,
    request: undefined,
    reply: nothing,
    parts: 0,
    echo: undefined,
    repeated: 0,
  }
  connections.set(id, connection)
  direct.read((bytes) => {
    // Otherwise the bytes go to the node, and the next read would overwrite them.
    if (!mayRepeat(connection, bytes)) receive(id, connection, Buffer.from(bytes))
  })
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

/** Answers a request by a reply that the node has given before; false if the node has to answer. */
function mayRepeat(connection: Connection, chunk: Buffer): boolean {
  const { echo, socket } = connection
  if (!echo || socket.writableLength > maxWaiting || !repeats!.answer(chunk, echo, socket)) return false
  connection.repeated++
  return true
}

function receive(id: number, connection: Connection, chunk: Buffer): void {
  if (repeats) {
    connection.echo = undefined
    connection.received += chunk.length
    connection.request = chunk.length < longRequest ? chunk : undefined
    connection.reply = nothing
    connection.parts = 0
  }
  tell(id, reported.received, chunk)
}

/** Keeps the last reply, which the node allows to repeat. */
function keepReply(connection: Connection, text: string): void {
  const { number, received, size, echo, ...validity } = readRepeat(text)
  const { request, reply, parts } = connection
  if (received !== connection.received || request?.length !== size || parts !== 1) return
  repeats!.keep(number, request, reply, echo, validity)
  connection.reply = nothing
  connection.echo = echo
}

function reportRepeated(): void {
  for (const [id, connection] of connections) {
    if (connection.repeated === 0) continue
    tell(id, reported.repeated, connection.repeated)
    connection.repeated = 0
  }
}

function reportCounts(): void {
  const counts = repeats!.takeCounts()
  if (counts.length > 0) tell(noConnection, reported.counted, counts.join(' '))
}

function renewReply(text: string): void {
  const { number, reply, ...validity } = readRenew(text)
  repeats?.renew(number, reply, validity)
}

function send(id: number, connection: Connection, content: string | Uint8Array, encoding?: BufferEncoding): void {
  const { socket } = connection
  if (typeof content === 'string') socket.write(content, encoding)
  else socket.write(content)
  if (repeats) {
    connection.parts++
    connection.reply = content.length < maxRepeated ? { content, encoding: encoding ?? 'latin1' } : nothing
  }
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
  if (kind === ordered.renew) renewReply(content as string)
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
  else if (kind === ordered.repeat) keepReply(connection, content as string)
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
if (repeats) {
  setInterval(reportRepeated, reportEvery.connections).unref()
  setInterval(reportCounts, reportEvery.replies).unref()
}
const server = createServer({ noDelay: true }, open)
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
