import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections of a server, of which there are at most so many. */
export interface Connections {
  /** Notes that the client has just sent something. */
  touch(socket: Socket): void
  /** Notes that a request of the client is being answered, until the returned function is called. */
  answer(socket: Socket): () => void
}

/**
 * Limits the connections of a server. When there are too many, a new one takes the place of the one whose client has been silent
 * for the longest time, whether it is idle or has sent half a request; only those that wait for an answer stay. If all of them
 * do, the new connection is closed.
 */
export function limitConnections(server: Server, max: number): Connections {
  const open = new Map<Socket, { answers: number; heard: number }>()
  /** Counts what clients do, which orders the connections at less cost than their places in the map would. */
  let events = 0

  function makeRoom(): boolean {
    if (open.size < max) return true
    let silent: Socket | undefined
    let heard = Number.POSITIVE_INFINITY
    for (const [socket, connection] of open) {
      if (connection.answers > 0 || connection.heard >= heard) continue
      silent = socket
      heard = connection.heard
    }
    if (!silent) return false
    open.delete(silent)
    silent.destroy()
    return true
  }

  function note(socket: Socket, change: number): void {
    const connection = open.get(socket)
    if (!connection) return
    connection.answers += change
    connection.heard = ++events
  }

  server.prependListener('connection', (socket: Socket) => {
    if (!makeRoom()) return void socket.destroy()
    open.set(socket, { answers: 0, heard: ++events })
    socket.once('close', () => open.delete(socket))
  })

  return {
    touch: (socket) => note(socket, 0),
    answer(socket) {
      note(socket, 1)
      return () => note(socket, -1)
    },
  }
}

/** Closes new connections at once while a server has its maximum number of them. */
export function capConnections(server: Server, max: number): void {
  let open = 0
  server.prependListener('connection', (socket: Socket) => {
    if (open >= max) return void socket.destroy()
    open++
    socket.once('close', () => open--)
  })
}

/** Notes what the requests that Node's HTTP server reads do. */
export function followRequest(connections: Connections, request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  let finish: (() => void) | undefined
  const begin = () => {
    if (!response.closed) finish ??= connections.answer(socket)
  }
  connections.touch(socket)
  if (request.method === 'POST') request.once('end', begin)
  else begin()
  response.once('close', () => finish?.())
}
