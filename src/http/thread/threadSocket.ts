import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type Content, ordered, reported, type Tell } from './events.ts'

/** Characters or bytes that may be on their way to the thread before the connection takes no more. */
const maxUnsent = 256 * 1024
const highWaterMark = 64 * 1024

/** Characters from which a text crosses over as bytes: a long one would have to be collected as garbage in both threads. */
const longText = 8 * 1024

/** What a stream is given to write. */
interface Written {
  readonly chunk: string | Uint8Array
  readonly encoding: BufferEncoding
}

const sizeOf = ({ chunk, encoding }: Written) =>
  typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length

/** A copy of all, because the writers may use their memory again. */
function joined(chunks: readonly Written[]): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, one) => sum + sizeOf(one), 0))
  let at = 0
  for (const { chunk, encoding } of chunks) {
    if (typeof chunk === 'string') at += bytes.write(chunk, at, encoding)
    else {
      bytes.set(chunk, at)
      at += chunk.length
    }
  }
  return bytes
}

/** A connection that the thread holds: a socket for those who read and write, and what happened to it. */
export interface ThreadSocket {
  readonly socket: Socket
  /** Handles an event that the thread has reported. */
  handle(kind: number, content: Content): void
}

/** Creates the node's side of a connection: a stream with the members of a socket that HTTP and WebSocket servers use. */
export function createThreadSocket(id: number, remote: string, tell: Tell): ThreadSocket {
  const [remoteAddress, remotePort] = remote.split(' ')
  let unsent = 0
  let isPaused = false
  let isClosed = false
  let goOn: (() => void) | undefined
  let finish: (() => void) | undefined
  let idle: NodeJS.Timeout | undefined

  const stream = new Duplex({
    decodeStrings: false,
    allowHalfOpen: true,
    highWaterMark,
    read() {
      if (isPaused) tell(id, ordered.resume, 0)
      isPaused = false
    },
    write(chunk: string | Uint8Array, encoding, done) {
      idle?.refresh()
      goOnWhenSent(send(chunk, encoding), done)
    },
    writev(chunks, done) {
      idle?.refresh()
      goOnWhenSent(sendBytes(joined(chunks)), done)
    },
    final(done) {
      finish = done
      tell(id, ordered.end, 0)
    },
    destroy(error, done) {
      clearTimeout(idle)
      if (!isClosed) tell(id, ordered.close, 0)
      done(error)
    },
  })

  function goOnWhenSent(size: number, done: () => void): void {
    unsent += size
    if (unsent < maxUnsent) done()
    else goOn = done
  }

  /** Returns the size of what is sent. */
  function send(chunk: string | Uint8Array, encoding: BufferEncoding): number {
    const isShort = typeof chunk === 'string' && chunk.length < longText
    if (isShort && encoding === 'latin1') tell(id, ordered.latin1, chunk)
    else if (isShort && (encoding === 'utf8' || encoding === 'utf-8')) tell(id, ordered.utf8, chunk)
    else return sendBytes(joined([{ chunk, encoding }]))
    return chunk.length
  }

  function sendBytes(bytes: Uint8Array): number {
    // Afterwards they belong to the thread.
    const { length } = bytes
    tell(id, ordered.bytes, bytes)
    return length
  }

  const socket = Object.assign(stream, {
    remoteAddress,
    remotePort: Number(remotePort),
    timeout: 0,
    /** Emits `timeout` when nothing was sent or received for so long; 0 never does. */
    setTimeout(milliseconds: number, listener?: () => void) {
      clearTimeout(idle)
      socket.timeout = milliseconds
      idle = milliseconds > 0 ? setTimeout(() => socket.emit('timeout'), milliseconds) : undefined
      if (listener) socket.once('timeout', listener)
      return socket
    },
  }) as unknown as Socket & { timeout: number }

  function receive({ buffer, byteOffset, length }: Uint8Array): void {
    idle?.refresh()
    if (stream.push(Buffer.from(buffer, byteOffset, length)) || isPaused) return
    isPaused = true
    tell(id, ordered.pause, 0)
  }

  return {
    socket,
    handle(kind, content) {
      if (kind === reported.received) receive(content as Uint8Array)
      else if (kind === reported.ended) stream.push(null)
      else if (kind === reported.sent) {
        unsent -= content as number
        if (unsent >= maxUnsent) return
        const done = goOn
        goOn = undefined
        done?.()
      } else if (kind === reported.finished) finish?.()
      else if (kind === reported.closed) {
        isClosed = true
        stream.destroy()
      }
    },
  }
}
