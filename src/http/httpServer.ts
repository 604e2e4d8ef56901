import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

export interface HttpServerOptions {
  readonly maxConnections: number
  /** Milliseconds that a request may take to be answered. */
  readonly timeout: number
}

/** Milliseconds for the headers and the whole of a request to arrive, and between requests. */
export const patience = { headers: 20_000, request: 120_000, idle: 65_000 }

/** A server that waits for clients, but not for ever. */
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
  // A client that does not read its answer is let go; one that waits for a long call is not.
  server.timeout = timeout + patience.idle
  return server
}
