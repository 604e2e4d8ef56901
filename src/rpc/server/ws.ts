import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocketServer } from 'ws'
import { type Connections, limitConnections } from '../../http/connectionLimit.ts'
import { createCorsCheck } from '../../http/cors.ts'
import { createHeartbeat } from '../../http/heartbeat.ts'
import { defaultGrace, type Listening, type ListenOptions, listen } from '../../http/listen.ts'
import { pathOf } from '../../http/pathOf.ts'
import { sendText } from '../../http/sendText.ts'
import { createUpgradeCheck, refuseUpgrade } from '../../http/upgrades.ts'
import { andThen } from '../../primitives/andThen.ts'
import type { Notification } from '../events/notification.ts'
import type { Send } from '../events/subscriptions.ts'
import type { Answer, Connection } from '../protocol/dispatcher.ts'
import { createConnectionAnswers } from './connectionAnswers.ts'
import { createFlusher } from './flusher.ts'
import type { Access, Sender, WsRequester } from './gate.ts'
import { serveLogin } from './login.ts'
import { createOutbox, type OutboxPorts } from './outbox.ts'

export interface WsOptions extends ListenOptions {
  readonly hostAllowlist: readonly string[]
  /** Origins that browsers may connect from; unlike in Besu they are checked. */
  readonly corsOrigins: readonly string[]
  readonly maxConnections: number
  /** Maximum size of a message in bytes. */
  readonly maxMessage: number
  /** Milliseconds that a call may take. */
  readonly timeout: number
}

/** The calls and subscriptions of one client. */
export interface WsConnection {
  /** Answers the text of a request. */
  dispatch(text: string): Answer
  /** Whether the client has subscriptions. */
  isSubscribed(): boolean
  /** Ends the subscriptions. */
  close(): void
}

export interface WsPorts {
  readonly access: Access
  /** Identifies a client by its handshake, which always succeeds, as in Besu. */
  identify(sender: Sender): WsRequester | undefined | Promise<WsRequester>
  /** Called for each client; `send` takes the events of its subscriptions. */
  connect(send: Send, requester: WsRequester | undefined, connection: Connection): WsConnection
  /** The reply to a call that takes too long. */
  readonly timeoutReply: string
}

/** Close code of a connection whose token has expired: policy violation. */
const tokenExpired = 1008

/** Takes connections that an HTTP server upgrades. */
export interface WsAcceptor {
  /** Upgrades a connection whose Host and Origin were checked. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, authorization: string | undefined): void
  /** Closes the connections: those of clients that do not answer after `grace` milliseconds. Returns what ends the waiting. */
  close(grace: number): () => void
}

/** Creates what takes the WebSocket connections of one server, and reports to `connections` which of them are idle. */
export function createWsAcceptor(
  options: Pick<WsOptions, 'maxMessage' | 'timeout'>,
  ports: WsPorts,
  connections?: Connections,
): WsAcceptor {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.maxMessage, perMessageDeflate: false })
  const flusher = createFlusher()
  const heartbeat = createHeartbeat()
  return {
    accept(request, socket, head, authorization) {
      // While the token is looked at, nobody else listens; the library finds a socket that has closed.
      socket.on('error', ignore)
      const address = request.socket.remoteAddress
      andThen(ports.identify({ address, authorization }), (requester) => {
        socket.off('error', ignore)
        sockets.handleUpgrade(request, socket, head, (client) => {
          heartbeat.watch(client)
          serve({ client, socket, flusher }, options, ports, { requester, address, tcp: request.socket, connections })
        })
      })
    },
    close(grace) {
      heartbeat.stop()
      for (const client of sockets.clients) client.close(1001)
      const timer = setTimeout(() => {
        for (const client of sockets.clients) client.terminate()
      }, grace)
      return () => clearTimeout(timer)
    },
  }
}

/** Starts the JSON-RPC server over WebSocket. */
export async function startWs(options: WsOptions, ports: WsPorts): Promise<Listening> {
  const cors = createCorsCheck(options.corsOrigins)
  const isAllowed = createUpgradeCheck(options.hostAllowlist, (origin) => cors(origin) !== undefined)
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    response.sendDate = false
    if (pathOf(request.url!) !== '/login') sendNoHttp(response)
    else if (isAllowed(request)) serveLogin(request, response, ports.access)
    else sendText(response, 403, 'text/plain', 'Forbidden')
  })
  const connections = limitConnections(server, options.maxConnections)
  const acceptor = createWsAcceptor(options, ports, connections)
  server.on('upgrade', (request, socket, head) => {
    if (isAllowed(request)) acceptor.accept(request, socket, head, request.headers.authorization)
    else refuseUpgrade(socket)
  })
  const listening = await listen(server, options)
  return {
    ...listening,
    async close(grace = defaultGrace) {
      const finish = acceptor.close(grace)
      await listening.close(grace)
      finish()
    },
  }
}

function ignore(): void {}

function sendNoHttp(response: ServerResponse): void {
  const text = "Websocket endpoint can't handle HTTP requests"
  response.writeHead(400, { 'Content-Type': 'text/plain', 'Content-Length': text.length, Connection: 'close' })
  response.end(text)
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString()
}

/** The client that has opened a connection. */
interface WsClient {
  readonly requester: WsRequester | undefined
  /** IP address. */
  readonly address: string | undefined
  readonly tcp: Socket
  readonly connections: Connections | undefined
}

/** Serves one connection until it closes. */
function serve(
  out: OutboxPorts,
  options: Pick<WsOptions, 'timeout'>,
  ports: WsPorts,
  { requester, address, tcp, connections }: WsClient,
): void {
  const { client } = out
  const outbox = createOutbox(out, () => answers.onDrained())
  const answers = createConnectionAnswers(
    { isPaused: () => client.isPaused, pause: () => client.pause(), resume: () => client.resume() },
    outbox,
    { timeout: options.timeout, timeoutReply: ports.timeoutReply },
  )
  const send = (notification: Notification) => {
    // A subscription ends with the token; the client learns why, and comes back with another one.
    if (requester?.isExpired()) return client.close(tokenExpired, 'the token has expired')
    outbox.notify(notification)
  }
  const isGone = () => client.readyState !== client.OPEN
  const connection = ports.connect(send, requester, { address, isGone })
  connections?.keep(tcp, () => answers.isBusy() || connection.isSubscribed())
  client.on('message', (data) => {
    connections?.touch(tcp)
    answers.send(connection.dispatch(textOf(data)))
  })
  client.on('close', () => connection.close())
  // Errors of the WebSocket protocol close the connection.
  client.on('error', () => {})
}
