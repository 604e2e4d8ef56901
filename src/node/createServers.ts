import type { Config } from '../config/options.ts'
import type { Listening } from '../http/listen.ts'
import { Fault } from '../primitives/fault.ts'
import type { Send, Session } from '../rpc/events/subscriptions.ts'
import type { RpcContext, ServicePlace } from '../rpc/protocol/context.ts'
import type { CallMeter, Hold } from '../rpc/protocol/dispatch.ts'
import type { HealthPort } from '../rpc/server/health.ts'
import { serveHttp, serveWs } from '../rpc/server/serve.ts'
import { createGraphql } from './createGraphql.ts'

export type ServerFault = { code: 'PORT_IN_USE'; port: number }
export class ServerError extends Fault<ServerFault> {
  constructor(at: ServerFault, cause?: unknown) {
    super(at, cause, `Port(s) '[${at.port}]' already in use. Check for other processes using the port(s).`)
  }
}

export interface ServerParts {
  readonly config: Config
  readonly context: Partial<RpcContext>
  readonly health: HealthPort
  readonly openSession: (send: Send) => Session
  readonly onInternalError: (error: unknown, method: string) => void
  /** Told of every call. */
  readonly onCall?: CallMeter | undefined
  /** Keeps the context's chain open until what comes back is called. */
  readonly hold: Hold
}

/** The servers of JSON-RPC and GraphQL that the options ask for; those that came up are closed again when one cannot. */
export async function createServers(parts: ServerParts, places: Map<string, ServicePlace>): Promise<Listening[]> {
  const { config, context, health, openSession, onInternalError, onCall, hold } = parts
  const ports = { context, onInternalError, onCall, hold }
  const up: Listening[] = []

  async function add(name: string, port: number, server: Promise<Listening>): Promise<void> {
    const listening = await server.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') throw new ServerError({ code: 'PORT_IN_USE', port }, error)
      throw error
    })
    up.push(listening)
    places.set(name, { host: listening.host, port: listening.port })
  }

  try {
    if (config['rpc-http-enabled'])
      await add(
        'jsonrpc',
        config['rpc-http-port'],
        serveHttp(
          {
            host: config['rpc-http-host'],
            port: config['rpc-http-port'],
            namespaces: config['rpc-http-api'],
            maxBatch: config['rpc-http-max-batch-size'],
            maxBody: config['rpc-http-max-request-content-length'],
            maxConnections: config['rpc-http-max-active-connections'],
            hostAllowlist: config['host-allowlist'],
            corsOrigins: config['rpc-http-cors-origins'],
            timeout: config['Xhttp-timeout-seconds'] * 1000,
            pretty: config['json-pretty-print-enabled'],
          },
          { ...ports, health },
        ),
      )
    if (config['rpc-ws-enabled'])
      await add(
        'ws',
        config['rpc-ws-port'],
        serveWs(
          {
            host: config['rpc-ws-host'],
            port: config['rpc-ws-port'],
            namespaces: config['rpc-ws-api'],
            maxConnections: config['rpc-ws-max-active-connections'],
            maxMessage: 4 * config['rpc-ws-max-frame-size'],
            hostAllowlist: config['host-allowlist'],
            timeout: config['Xws-timeout-seconds'] * 1000,
          },
          { ...ports, openSession },
        ),
      )
    // A node has all ports that GraphQL needs.
    if (config['graphql-http-enabled'])
      await add('graphql', config['graphql-http-port'], createGraphql(config, context as RpcContext, ports))
    return up
  } catch (error) {
    await Promise.all(up.map((server) => server.close()))
    throw error
  }
}
