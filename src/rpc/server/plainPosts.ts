import { isUtf8 } from 'node:buffer'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Connections } from '../../http/connectionLimit.ts'
import type { HostCheck } from '../../http/hostAllowlist.ts'
import { readAsStream } from '../../http/tls/secureConnections.ts'
import type { Answer, Reply } from '../protocol/dispatcher.ts'
import type { Sender } from './gate.ts'
import { headEnding, type PlainHead, readPlainHead, requestLine } from './plainHead.ts'
import { writePlainReply } from './plainReply.ts'

export interface PlainPostOptions {
  readonly hostAllowed: HostCheck
  readonly maxBody: number
  /** Milliseconds that the headers of a request may take, that a connection may be idle, and that late calls have to end. */
  readonly patience: { readonly headers: number; readonly idle: number; readonly ending: number }
  readonly connections: Connections
  /** Milliseconds that a call may take. */
  readonly timeout: number
  /** The reply to a request that need not be read; undefined for others. */
  refuse(sender: Sender): Reply | undefined
  dispatch(text: string, sender: Sender): Answer
}

/** Maximum number of packets of a plain request; Node's HTTP server handles those in more. */
const maxPieces = 2
const timeoutReply = 'HTTP/1.1 504 Gateway Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

const beginning = Buffer.from(`${requestLine}\r\n`)

function beginsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.length >= start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0
}

function beginsPlain(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, beginning.length)
  return bytes.compare(beginning, 0, length, 0, length) === 0
}

/**
 * Answers plain requests, most of the traffic, straight from the socket: Node's HTTP server costs more than most methods.
 * The first request that is not plain hands its connection over to Node's server for good. Returns a function that closes the
 * connections which were not handed over: the idle ones, or all.
 */
export function servePlainPosts(server: Server, options: PlainPostOptions): (which: 'idle' | 'all') => void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  // Node's own listener is the last one; the limit of connections comes before it.
  const accept = listeners.at(-1)
  const before = listeners.slice(0, -1)
  const plain = new Map<Socket, PlainConnection>()
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    for (const listener of before) listener.call(server, socket)
    if (socket.destroyed) return
    const connection = createPlainConnection(socket, options, (handedOver) => {
      plain.delete(socket)
      if (!handedOver) return
      accept!.call(server, socket)
      readAsStream(socket)
    })
    plain.set(socket, connection)
  })
  return (which) => {
    for (const [socket, connection] of plain) if (which === 'all' || !connection.isBusy()) socket.destroy()
  }
}

interface PlainConnection {
  isBusy(): boolean
}

// After an error the socket closes, which `onClose` handles.
const onError = () => {}

/** What has come and is not yet read, what the last request's head said, and whom the connection waits for. */
class PlainPosts implements PlainConnection {
  private readonly socket: Socket
  private readonly options: PlainPostOptions
  private readonly leave: (handedOver: boolean) => void
  private unread: Buffer | undefined
  private pieces = 0
  private known: PlainHead | undefined
  private readonly address: string | undefined
  private sender: Sender
  private handedOver = false
  private waitingFor: 'answer' | 'client' | undefined
  private finish: (() => void) | undefined

  constructor(socket: Socket, options: PlainPostOptions, leave: (handedOver: boolean) => void) {
    this.leave = leave
    this.options = options
    this.socket = socket
    this.address = socket.remoteAddress
    this.sender = { address: this.address, authorization: undefined, isGone: this.isGone }
    socket.setTimeout(options.patience.idle)
    socket.on('close', this.onClose).on('error', onError).on('end', this.onEnd).on('timeout', this.onTimeout)
    socket.on('data', this.receive)
  }

  private readonly isGone = () => this.socket.destroyed

  private readonly onClose = () => this.leave(false)

  private readonly onEnd = () => this.socket.end()

  // A client may wait for a long call, but must read its response.
  private readonly onTimeout = () => {
    const before = this.unread
    if (this.waitingFor === 'answer') return
    // What came while the node was busy has not been read yet.
    setImmediate(() => {
      if (this.unread === before && this.waitingFor !== 'answer' && !this.handedOver) this.socket.destroy()
    })
  }

  private readonly receive = (bytes: Buffer): void => {
    this.unread = this.unread ? Buffer.concat([this.unread, bytes]) : bytes
    this.pieces++
    this.options.connections.touch(this.socket)
    if (!this.waitingFor) this.readOn()
  }

  private handOver(): void {
    this.handedOver = true
    this.socket
      .off('data', this.receive)
      .off('close', this.onClose)
      .off('error', onError)
      .off('end', this.onEnd)
      .off('timeout', this.onTimeout)
    this.socket.setTimeout(0)
    this.socket.pause()
    this.socket.unshift(this.unread!)
    this.unread = undefined
    this.leave(true)
    this.socket.resume()
  }

  /** Answers the requests that have arrived, in order; stops at a call that is not finished yet. */
  private readOn() {
    while (this.unread) {
      // Most clients send the same head again and again.
      if (!this.known || !beginsWith(this.unread, this.known.bytes)) {
        const headEnd = this.unread.indexOf(headEnding)
        if (headEnd >= 0) {
          this.known = readPlainHead(this.unread.subarray(0, headEnd + headEnding.length), this.options)
          this.sender = { address: this.address, authorization: this.known?.authorization, isGone: this.isGone }
          if (!this.known) return this.handOver()
        } else {
          if (this.pieces >= maxPieces || !beginsPlain(this.unread)) this.handOver()
          else this.socket.setTimeout(this.options.patience.headers)
          return
        }
      }
      const bodyAt = this.known.bytes.length
      const end = bodyAt + this.known.length
      if (this.unread.length < end) {
        if (this.pieces >= maxPieces) this.handOver()
        return
      }
      const text = this.unread.toString('utf8', bodyAt, end)
      const broken = text.includes('\ufffd') && !isUtf8(this.unread.subarray(bodyAt, end))
      this.unread = this.unread.length === end ? undefined : this.unread.subarray(end)
      this.pieces = this.unread ? 1 : 0
      if (this.socket.timeout !== this.options.patience.idle) this.socket.setTimeout(this.options.patience.idle)
      // Invalid UTF-8 is not JSON.
      const answer = this.options.refuse(this.sender) ?? this.options.dispatch(broken ? '' : text, this.sender)
      if (answer instanceof Promise) return this.wait(answer)
      if (!this.send(answer)) return
    }
  }

  private send(reply: Reply): boolean {
    const done = writePlainReply(this.socket, reply, this.known!.gzip, this.goOn)
    if (!done) this.stopFor('client')
    return done
  }

  private stopFor(what: 'answer' | 'client'): void {
    this.waitingFor = what
    this.finish ??= this.options.connections.answer(this.socket)
    this.socket.pause()
  }

  private readonly goOn = (): void => {
    this.waitingFor = undefined
    this.finish?.()
    this.finish = undefined
    this.socket.resume()
    this.readOn()
  }

  private wait(answer: Promise<Reply>): void {
    this.stopFor('answer')
    const timer = setTimeout(() => this.socket.end(timeoutReply), this.options.timeout + this.options.patience.ending)
    answer.then((reply) => {
      clearTimeout(timer)
      if (this.socket.writable && this.send(reply)) this.goOn()
    })
  }

  readonly isBusy: PlainConnection['isBusy'] = () => this.waitingFor !== undefined
}

/** Serves a connection until it closes or is handed over. */
function createPlainConnection(
  socket: Socket,
  options: PlainPostOptions,
  leave: (handedOver: boolean) => void,
): PlainConnection {
  return new PlainPosts(socket, options, leave)
}
