import type { IncomingMessage } from 'node:http'
import type { QueryHandler } from '../graphql/serve.ts'
import type { Send, Session } from '../rpc/events/subscriptions.ts'
import { createCallHandler } from '../rpc/server/http.ts'
import { serveLogin } from '../rpc/server/login.ts'
import { type HttpServeOptions, openHttpCalls, openWsCalls, type ServePorts } from '../rpc/server/serve.ts'
import { createWsAcceptor } from '../rpc/server/ws.ts'
import type { ExplorerNode } from './explorerNode.ts'

export interface LocalNodeOptions extends Omit<HttpServeOptions, 'host' | 'port' | 'corsOrigins' | 'tls'> {
  readonly name: string
  /** Maximum size of a WebSocket message in bytes. */
  readonly maxMessage: number
}

/** The node of this process: its namespaces and its authentication are those of JSON-RPC over HTTP, over WebSocket too. */
export function createLocalNode(
  options: LocalNodeOptions,
  ports: ServePorts & { readonly openSession: (send: Send) => Session },
  query: QueryHandler | undefined,
): ExplorerNode {
  const { access = {} } = ports
  const call = createCallHandler(options, openHttpCalls(options, ports))
  const acceptor = createWsAcceptor(options, openWsCalls(options, ports))
  return {
    name: options.name,
    session: { authentication: access.authority !== undefined, namespaces: options.namespaces },
    rpc(request, response) {
      const { authorization, 'accept-encoding': encoding } = request.headers
      call(request, response, { authorization, encoding: encoding === undefined ? undefined : String(encoding) })
    },
    graphql: query && ((request, response) => query(request, response, undefined)),
    login: (request, response) => serveLogin(request, response, access),
    upgrade: (request, socket, head) => acceptor.accept(request, socket, head, authorizationOf(request)),
    close(grace) {
      acceptor.close(grace)
    },
  }
}

/** A browser cannot send the header with a WebSocket: its page offers the token as a protocol, after the one that is spoken. */
function authorizationOf({ headers }: IncomingMessage): string | undefined {
  if (headers.authorization !== undefined) return headers.authorization
  const token = /(?:^|,)\s*bearer\.([\w.-]+)\s*(?:,|$)/.exec(headers['sec-websocket-protocol'] ?? '')?.[1]
  return token === undefined ? undefined : `Bearer ${token}`
}
