import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { createHttpClient } from '../http/client/httpClient.ts'
import { passOn } from '../http/client/passOn.ts'
import { sendText } from '../http/sendText.ts'
import type { ExplorerNode, ExplorerSession } from './explorerNode.ts'

export interface RemoteNodeOptions {
  readonly name: string
  readonly session: ExplorerSession
  /** Ports of the node's servers on this machine. */
  readonly ports: { readonly http: number; readonly ws: number; readonly graphql: number }
}

const host = '127.0.0.1'
/** Milliseconds in which the node has to accept a connection, and to begin its answer. */
const answerTime = 60_000

/** A node in another process on this machine, to which requests are passed on. */
export function createRemoteNode({ name, session, ports }: RemoteNodeOptions): ExplorerNode {
  const open = new Set<Duplex>()
  // A body is passed on as it comes, and so cannot be sent again when the node has closed an idle connection.
  const client = createHttpClient({ keepAlive: false })

  const passTo = (port: number, path: string) => (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.expect !== undefined) response.writeContinue()
    void passOn(client, request, response, {
      url: new URL(path, `http://${host}:${port}`),
      method: 'POST',
      body: request,
      timeout: answerTime,
      onFailure: () => sendText(response, 502, 'text/plain', 'The node does not answer'),
    })
  }

  return {
    name,
    session,
    rpc: passTo(ports.http, '/'),
    graphql: passTo(ports.graphql, '/graphql'),
    login: passTo(ports.http, '/login'),
    upgrade(request, socket, head) {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      passUpgrade(request, socket, head, ports.ws)
    },
    close() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** Headers of the handshake that concern the node. */
const handshake = ['sec-websocket-key', 'sec-websocket-version'] as const

function passUpgrade({ headers }: IncomingMessage, socket: Duplex, head: Buffer, port: number): void {
  const upstream = connect({ host, port })
  const lines = ['GET / HTTP/1.1', `Host: ${host}:${port}`, 'Connection: Upgrade', 'Upgrade: websocket']
  for (const name of handshake) if (headers[name] !== undefined) lines.push(`${name}: ${headers[name]}`)
  upstream.write(`${lines.join('\r\n')}\r\n\r\n`)
  upstream.write(head)
  pipeline(upstream, socket, upstream, () => {
    upstream.destroy()
    socket.destroy()
  })
}
