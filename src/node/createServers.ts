import type { Listening } from '../http/listen.ts'
import type { Send, Session } from '../rpc/events/subscriptions.ts'
import type { ServicePlace } from '../rpc/protocol/context.ts'
import type { HealthPort } from '../rpc/server/health.ts'
import { serveHttp, serveWs } from '../rpc/server/serve.ts'
import { createGraphql, type GraphqlParts } from './createGraphql.ts'
import { rethrowListenError } from './fault.ts'
import { httpOptionsOf, wsOptionsOf } from './options/serverOptions.ts'

export interface ServerParts extends GraphqlParts {
  readonly health: HealthPort
  readonly openSession: (send: Send) => Session
}

/** Starts the servers of JSON-RPC and GraphQL that are enabled. If one cannot start, those before it are closed. */
export async function createServers(parts: ServerParts, places: Map<string, ServicePlace>): Promise<Listening[]> {
  const { config } = parts
  const up: Listening[] = []

  async function add(name: string, port: number, server: Promise<Listening>): Promise<void> {
    const listening = await server.catch(rethrowListenError(port))
    up.push(listening)
    places.set(name, { host: listening.host, port: listening.port })
  }

  try {
    if (config['rpc-http-enabled'])
      await add('jsonrpc', config['rpc-http-port'], serveHttp(httpOptionsOf(config), parts))
    if (config['rpc-ws-enabled']) await add('ws', config['rpc-ws-port'], serveWs(wsOptionsOf(config), parts))
    if (config['graphql-http-enabled']) await add('graphql', config['graphql-http-port'], createGraphql(parts))
    return up
  } catch (error) {
    await Promise.all(up.map((server) => server.close()))
    throw error
  }
}
