import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

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

/** Creates an HTTP server with limits on connections and on slow clients. */
export function createHttpServer(
  { maxConnections, timeout }: HttpServerOptions,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const server = createServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      keepAliveTimeout: patience.idle,
      connectionsCheckingInterval: 10_000,
      requireHostHeader: false,
    },
    handle,
  )
  server.maxConnections = maxConnections
  // Longer than any call may take, so that only a client that does not read its response is disconnected.
  server.timeout = timeout + patience.idle
  return server
}
