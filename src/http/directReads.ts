import { Socket } from 'node:net'

/** A connection whose bytes can be had without a stream. */
export interface DirectSocket {
  readonly socket: Socket
  /** Calls `take` with what arrives, in memory that the next read may overwrite. */
  read(take: (bytes: Buffer) => void): void
  /** From now on what arrives is data of the socket's stream. */
  release(): void
}

/** What Node's sockets have without a word in its documentation. */
interface Internals {
  _handle: { readonly useUserBuffer?: unknown } | null
  _server: unknown
  server: unknown
}

/** What one read can bring. It is handled before the next one, so that the connections of a thread share it. */
const memory = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Prepares a connection that a server has just accepted to be read without a stream: Node's streams allocate memory for each read and
 * take a third of the time that a short request takes. Node offers this for connections that a program makes, not for those that it
 * accepts: so the accepted one is put into a new socket, which stands for it from here on. Connections for which Node has no such way
 * (TLS, say) are read as streams.
 */
export function directSocket(accepted: Socket): DirectSocket {
  const old = accepted as unknown as Internals
  const handle = old._handle
  if (accepted.constructor !== Socket || typeof handle?.useUserBuffer !== 'function') return streamOf(accepted)
  let take: ((bytes: Buffer) => void) | undefined
  function receive(size: number): boolean {
    const bytes = memory.subarray(0, size)
    if (!take) return socket.push(Buffer.from(bytes))
    take(bytes)
    return true
  }
  const options = { handle, allowHalfOpen: accepted.allowHalfOpen, onread: { buffer: memory, callback: receive } }
  const socket = new Socket(options)
  // The server counts the connections that are open.
  Object.assign(socket, { _server: old._server, server: old.server })
  Object.assign(old, { _handle: null, _server: null })
  return {
    socket,
    read(taker) {
      take = taker
      // Otherwise nobody would hear of the stream's end.
      socket.resume()
    },
    release() {
      take = undefined
    },
  }
}

function streamOf(socket: Socket): DirectSocket {
  let take: ((bytes: Buffer) => void) | undefined
  return {
    socket,
    read(taker) {
      take = taker
      socket.on('data', taker)
    },
    release() {
      if (take) socket.off('data', take)
    },
  }
}
