import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Connections } from '../http/connectionLimit.ts'
import { createHeartbeat } from '../http/heartbeat.ts'
import { refuseUpgrade } from '../http/upgrades.ts'
import { type AnswerPorts, answer } from './answer.ts'
import { connectSides, dialNode } from './passWs.ts'
import { readRequest } from './readRequest.ts'

export interface WsOptions {
  /** The node's WebSocket. */
  readonly nodeUrl: URL
  /** Milliseconds that the node may take to answer. */
  readonly timeout: number
  readonly maxConnections: number
  /** Maximum size of a message in bytes. */
  readonly maxMessage: number
  /** Whether a request may connect, by its Host and Origin. */
  isAllowed(request: IncomingMessage): boolean
}

/** Own calls of one connection under way above which its messages wait. */
const maxUnderWay = 256

/** How to close the connections: at once those whose ends agree, the others after `grace` milliseconds. */
export type CloseAll = (grace: number) => void

/** Takes WebSocket connections of an HTTP server, each with a connection of its own to the node. */
export function serveWs(
  server: Server,
  connections: Connections,
  options: WsOptions,
  ports: Omit<AnswerPorts, 'askNode'>,
): CloseAll {
  const sides = new Set<WebSocket>()
  const clients = new WebSocketServer({ noServer: true, maxPayload: options.maxMessage, perMessageDeflate: false })
  const heartbeat = createHeartbeat()
  let dialing = 0

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {})
    if (!options.isAllowed(request)) return refuseUpgrade(socket, '403 Forbidden')
    if (clients.clients.size + dialing >= options.maxConnections)
      return refuseUpgrade(socket, '503 Service Unavailable')
    // A connection that has been upgraded does not give way to new ones.
    socket.once('close', connections.answer(request.socket))
    dialing++
    try {
      const node = await dialNode(options.nodeUrl, options.timeout)
      let isServed = false
      clients.handleUpgrade(request, socket, head, (client) => {
        isServed = true
        serve(client, node)
      })
      if (!isServed) node.terminate()
    } catch {
      refuseUpgrade(socket, '504 Gateway Timeout')
    } finally {
      dialing--
    }
  }

  function serve(client: WebSocket, node: WebSocket): void {
    const upstream = connectSides(client, node)
    const own: AnswerPorts = { ...ports, askNode: upstream.ask }
    let underWay = 0

    client.on('message', (data: Buffer, binary) => {
      const request = readRequest(data.toString())
      if (!request) return upstream.pass(data, binary)
      if (++underWay >= maxUnderWay) client.pause()
      answer(request, own, AbortSignal.timeout(options.timeout)).then(({ body }) => {
        underWay--
        client.send(body, () => {})
        if (client.isPaused) client.resume()
      })
    })
    // Errors of the WebSocket protocol close the connection.
    client.on('error', () => {})
    for (const side of [client, node]) {
      heartbeat.watch(side)
      sides.add(side)
      side.once('close', () => sides.delete(side))
    }
  }

  server.on('upgrade', upgrade)
  return (grace) => {
    heartbeat.stop()
    for (const side of sides) side.close(1001)
    setTimeout(() => {
      for (const side of sides) side.terminate()
    }, grace).unref()
  }
}
