import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections of a server, of which there are at most so many. */
export interface Connections {
  /** Notes that the client has just sent something. */
  touch(socket: Socket): void
  /** Notes that a request of the client is being answered, until the returned function is called. */
  answer(socket: Socket): () => void
  /** The connection counts as one that waits for an answer whenever `isNeeded` says so. */
  keep(socket: Socket, isNeeded: () => boolean): void
}

interface Connection {
  readonly address: string
  answers: number
  lastEvent: number
  isNeeded: (() => boolean) | undefined
}

/** How many times the connections of a newcomer's address another one must have to lose one that waits for an answer. */
const greed = 2

/**
 * Limits the connections of a server. When there are too many, a new one takes the place of another: of the address with the most
 * connections the one whose client has been silent for the longest time, whether it is idle or has sent half a request. Those that wait
 * for an answer stay, unless one address has taken so many places that others find none. If nobody gives way, the new connection is closed.
 */
export function limitConnections(server: Server, max: number): Connections {
  const open = new Map<Socket, Connection>()
  /** Counts what clients do, which orders the connections at less cost than their places in the map would. */
  let events = 0

  const mayLeave = ({ answers, isNeeded }: Connection) => answers === 0 && !isNeeded?.()

  function countByAddress(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { address } of open.values()) counts.set(address, (counts.get(address) ?? 0) + 1)
    return counts
  }

  /** Which of these gives way first. */
  function findFirst(counts: ReadonlyMap<string, number>, may: (one: Connection) => boolean): Socket | undefined {
    let first: { readonly socket: Socket; readonly count: number; readonly lastEvent: number } | undefined
    for (const [socket, one] of open) {
      if (!may(one)) continue
      const count = counts.get(one.address)!
      if (!first || count > first.count || (count === first.count && one.lastEvent < first.lastEvent))
        first = { socket, count, lastEvent: one.lastEvent }
    }
    return first?.socket
  }

  function makeRoom(address: string): boolean {
    if (open.size < max) return true
    const counts = countByAddress()
    const fair = greed * ((counts.get(address) ?? 0) + 1)
    const leaving = findFirst(counts, mayLeave) ?? findFirst(counts, (one) => counts.get(one.address)! > fair)
    if (!leaving) return false
    open.delete(leaving)
    leaving.destroy()
    return true
  }

  function note(socket: Socket, change: number): void {
    const connection = open.get(socket)
    if (!connection) return
    connection.answers += change
    connection.lastEvent = ++events
  }

  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (!makeRoom(address)) return void socket.destroy()
    open.set(socket, { address, answers: 0, lastEvent: ++events, isNeeded: undefined })
    socket.once('close', () => open.delete(socket))
  })

  return {
    touch: (socket) => note(socket, 0),
    answer(socket) {
      note(socket, 1)
      return () => note(socket, -1)
    },
    keep(socket, isNeeded) {
      const connection = open.get(socket)
      if (connection) connection.isNeeded = isNeeded
    },
  }
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
