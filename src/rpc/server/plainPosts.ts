import { isUtf8 } from 'node:buffer'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Connections } from '../../http/connectionLimit.ts'
import type { HostCheck } from '../../http/hostAllowlist.ts'
import { readAsStream } from '../../http/tls/secureConnections.ts'
import type { Answer, Reply } from '../protocol/dispatch.ts'
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
  const isBusy = new Map<Socket, () => boolean>()
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    for (const listener of before) listener.call(server, socket)
    if (socket.destroyed) return
    const busy = serve(socket, options, (handedOver) => {
      isBusy.delete(socket)
      if (!handedOver) return
      accept!.call(server, socket)
      readAsStream(socket)
    })
    isBusy.set(socket, busy)
  })
  return (which) => {
    for (const [socket, busy] of isBusy) if (which === 'all' || !busy()) socket.destroy()
  }
}

/** Serves a connection until it closes or is handed over. Returns a function that tells whether it is busy. */
function serve(socket: Socket, options: PlainPostOptions, leave: (handedOver: boolean) => void): () => boolean {
  let unread: Buffer | undefined
  let pieces = 0
  let known: PlainHead | undefined
  const address = socket.remoteAddress
  const isGone = () => socket.destroyed
  let sender: Sender = { address, authorization: undefined, isGone }
  let handedOver = false
  let waitingFor: 'answer' | 'client' | undefined
  let finish: (() => void) | undefined
  const { connections, patience } = options

  const onClose = () => leave(false)
  // After an error the socket closes, which `onClose` handles.
  const onError = () => {}
  const onEnd = () => socket.end()
  // A client may wait for a long call, but must read its response.
  const onTimeout = () => {
    const before = unread
    if (waitingFor === 'answer') return
    // What came while the node was busy has not been read yet.
    setImmediate(() => {
      if (unread === before && waitingFor !== 'answer' && !handedOver) socket.destroy()
    })
  }

  function receive(bytes: Buffer): void {
    unread = unread ? Buffer.concat([unread, bytes]) : bytes
    pieces++
    connections.touch(socket)
    if (!waitingFor) readOn()
  }

  function handOver(): void {
    handedOver = true
    socket.off('data', receive).off('close', onClose).off('error', onError).off('end', onEnd).off('timeout', onTimeout)
    socket.setTimeout(0)
    socket.pause()
    socket.unshift(unread!)
    unread = undefined
    leave(true)
    socket.resume()
  }

  /** Answers the requests that have arrived, in order; stops at a call that is not finished yet. */
  function readOn() {
    while (unread) {
      // Most clients send the same head again and again.
      if (!known || !beginsWith(unread, known.bytes)) {
        const headEnd = unread.indexOf(headEnding)
        if (headEnd >= 0) {
          known = readPlainHead(unread.subarray(0, headEnd + headEnding.length), options)
          sender = { address, authorization: known?.authorization, isGone }
          if (!known) return handOver()
        } else {
          if (pieces >= maxPieces || !beginsPlain(unread)) handOver()
          else socket.setTimeout(patience.headers)
          return
        }
      }
      const bodyAt = known.bytes.length
      const end = bodyAt + known.length
      if (unread.length < end) {
        if (pieces >= maxPieces) handOver()
        return
      }
      const text = unread.toString('utf8', bodyAt, end)
      const broken = text.includes('\ufffd') && !isUtf8(unread.subarray(bodyAt, end))
      unread = unread.length === end ? undefined : unread.subarray(end)
      pieces = unread ? 1 : 0
      if (socket.timeout !== patience.idle) socket.setTimeout(patience.idle)
      // Invalid UTF-8 is not JSON.
      const answer = options.refuse(sender) ?? options.dispatch(broken ? '' : text, sender)
      if (answer instanceof Promise) return wait(answer)
      if (!send(answer)) return
    }
  }

  function send(reply: Reply): boolean {
    const done = writePlainReply(socket, reply, known!.gzip, goOn)
    if (!done) stopFor('client')
    return done
  }

  function stopFor(what: 'answer' | 'client'): void {
    waitingFor = what
    finish ??= connections.answer(socket)
    socket.pause()
  }

  function goOn(): void {
    waitingFor = undefined
    finish?.()
    finish = undefined
    socket.resume()
    readOn()
  }

  function wait(answer: Promise<Reply>): void {
    stopFor('answer')
    const timer = setTimeout(() => socket.end(timeoutReply), options.timeout + patience.ending)
    answer.then((reply) => {
      clearTimeout(timer)
      if (socket.writable && send(reply)) goOn()
    })
  }

  socket.setTimeout(patience.idle)
  socket.on('close', onClose).on('error', onError).on('end', onEnd).on('timeout', onTimeout)
  socket.on('data', receive)
  return () => waitingFor !== undefined
}
