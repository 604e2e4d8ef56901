import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes of a body from which a connection's next one waits; smaller ones have come with their head. */
const largeBody = 64 * 1024

/** What begins to read the next large bodies of a connection, in order, while one is read and answered. */
const waiting = new WeakMap<Socket, (() => void)[]>()

/**
 * Begins to read a body: at once if it is small, and a large one when those before it on its connection are answered. A client that
 * sends hundreds of large requests at once leaves them in its socket, and not all of them, with what is made of them, in our memory.
 */
export function readWhenAnswered(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
  const { socket, headers } = request
  // Without a length it is sent in chunks, and may be any.
  if (Number(headers['content-length'] ?? largeBody) < largeBody) {
    begin()
    return
  }
  const beginInTurn = () => {
    response.once('close', () => {
      const next = waiting.get(socket)?.shift()
      if (next) next()
      else waiting.delete(socket)
    })
    begin()
  }
  const others = waiting.get(socket)
  if (others) {
    others.push(beginInTurn)
    return
  }
  waiting.set(socket, [])
  beginInTurn()
}
