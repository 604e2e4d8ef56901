import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Connections, followRequest, limitConnections } from './connectionLimit.ts'
import { sendText } from './sendText.ts'

export interface HttpServerOptions {
  readonly maxConnections: number
  /** Milliseconds that a request may take to be answered. */
  readonly timeout: number
}

/**
 * Milliseconds in which the headers and all of a request must arrive, that a connection may be idle, and that calls under way
 * have to end after the timeout of their request.
 */
export const patience = { headers: 20_000, request: 120_000, idle: 65_000, ending: 1000 }

/** Maximum number and size of the headers of a request. */
export const maxHeaders = { count: 200, bytes: 16 * 1024 }

/** An HTTP server and its connections. */
export interface HttpServer {
  readonly server: Server
  readonly connections: Connections
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Creates an HTTP server with limits on connections, headers and slow clients. */
export function createHttpServer({ maxConnections, timeout }: HttpServerOptions, handle: Handle): HttpServer {
  const server = createServer({
    headersTimeout: patience.headers,
    requestTimeout: patience.request,
    keepAliveTimeout: patience.idle,
    connectionsCheckingInterval: 10_000,
    maxHeaderSize: maxHeaders.bytes,
    requireHostHeader: false,
  })
  const connections = limitConnections(server, maxConnections)
  const begin: Handle = (request, response) => {
    followRequest(connections, request, response)
    const problem = headerProblem(request)
    if (problem) refuse(response, problem)
    else handle(request, response)
  }
  server.on('request', begin)
  // `readBody` asks for the body, if it is not too large.
  server.on('checkContinue', begin)
  // Longer than any call may take, so that only a client that does not read its response is disconnected.
  server.timeout = timeout + patience.idle
  return { server, connections }
}

/** The status of a request whose version or headers are refused. */
function headerProblem({ httpVersionMajor, rawHeaders }: IncomingMessage): 400 | 431 | 505 | undefined {
  // Node's parser takes the first line of others, too.
  if (httpVersionMajor !== 1) return 505
  if (rawHeaders.length > 2 * maxHeaders.count) return 431
  // RFC 9112: with two of them it depends on the reader which one counts.
  return countHosts(rawHeaders) > 1 ? 400 : undefined
}

/** The number of Host headers of a request. */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++
  return hosts
}

function refuse(response: ServerResponse, status: 400 | 431 | 505): void {
  response.setHeader('Connection', 'close')
  sendText(response, status)
}
