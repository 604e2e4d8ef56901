import { type IncomingMessage, type OutgoingHttpHeaders, request as openRequest, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
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

/** Headers that are passed on; all others belong to one connection. */
const requestHeaders = ['accept', 'accept-encoding', 'authorization', 'content-length', 'content-type'] as const
const responseHeaders = ['content-encoding', 'content-length', 'content-type'] as const

/** A node in another process on this machine, to which requests are passed on. */
export function createRemoteNode({ name, session, ports }: RemoteNodeOptions): ExplorerNode {
  const open = new Set<Duplex>()
  return {
    name,
    session,
    rpc: (request, response) => pass(request, response, ports.http, '/'),
    graphql: (request, response) => pass(request, response, ports.graphql, '/graphql'),
    login: (request, response) => pass(request, response, ports.http, '/login'),
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

function pass(request: IncomingMessage, response: ServerResponse, port: number, path: string): void {
  const headers: OutgoingHttpHeaders = {}
  for (const name of requestHeaders) if (request.headers[name] !== undefined) headers[name] = request.headers[name]
  const upstream = openRequest({ host, port, path, method: 'POST', headers, timeout: answerTime }, (answer) => {
    const fields: string[] = []
    for (const name of responseHeaders)
      if (answer.headers[name] !== undefined) fields.push(name, String(answer.headers[name]))
    response.writeHead(answer.statusCode!, fields)
    // Part of the response is sent already: if the rest fails, both connections are closed.
    pipeline(answer, response, () => {})
  })
  upstream.on('timeout', () => upstream.destroy())
  upstream.on('error', () => {
    if (response.headersSent) response.destroy()
    else sendText(response, 502, 'text/plain', 'The node does not answer')
  })
  // Nobody waits for the answer any more.
  response.once('close', () => upstream.destroy())
  if (request.headers.expect !== undefined) response.writeContinue()
  request.pipe(upstream)
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
