import { explorerOptionsOf, explorerWanted } from '../../config/explorerOptions.ts'
import { ignoredTlsOptions, type TlsServer, tlsOptionsOf } from '../../config/tlsSettings.ts'
import { serveGraphql } from '../../graphql/serve.ts'
import type { Listening, ServerAddress } from '../../http/listen.ts'
import { openPageFiles } from '../../http/pageFiles.ts'
import { createTls, type Tls } from '../../http/tls/createTls.ts'
import type { Send, Session } from '../../rpc/events/subscriptions.ts'
import type { ServicePlace } from '../../rpc/protocol/context.ts'
import type { HealthPort } from '../../rpc/server/health.ts'
import { serveHttp, serveIpc, serveWs } from '../../rpc/server/serve.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { rethrowIpcError, rethrowListenError, rethrowTlsError, ServerError } from '../fault.ts'
import { graphqlOptionsOf, httpOptionsOf, ipcOptionsOf, wsOptionsOf } from '../options/serverOptions.ts'
import type { ServerAccess } from './createAccess.ts'
import { createExplorer } from './createExplorer.ts'
import { type GraphqlParts, graphqlPortsOf } from './graphqlPorts.ts'

export interface ServerParts extends GraphqlParts {
  readonly health: HealthPort
  readonly serverAccess: ServerAccess
  readonly openSession: (send: Send) => Session
  readonly log: Logger
  readonly clock: Clock
  /** Where the socket of IPC lies if it has only a name. */
  readonly dataPath: string
}

/** A server that runs. */
type Closable = Pick<Listening, 'close'>

/** Starts the servers of JSON-RPC and GraphQL that are enabled. If one cannot start, those before it are closed. */
export async function createServers(parts: ServerParts, places: Map<string, ServicePlace>): Promise<Closable[]> {
  const { config, log } = parts
  const { http, ws } = parts.serverAccess
  const up: Closable[] = []
  for (const line of ignoredTlsOptions(config)) log.warn({}, line)

  async function add<O extends ServerAddress>(
    service: string,
    name: TlsServer,
    options: O,
    serve: (options: O & { readonly tls: Tls | undefined }) => Promise<Listening>,
  ): Promise<void> {
    const tls = openTls(name)
    const listening = await serve({ ...options, tls }).catch(rethrowListenError(name, options))
    up.push(listening)
    places.set(service, { host: listening.host, port: listening.port, isSecure: tls !== undefined })
  }

  function openTls(name: TlsServer): Tls | undefined {
    const options = tlsOptionsOf(config, name)
    try {
      return options && createTls(options, log.child(name))
    } catch (error) {
      rethrowTlsError(name, error)
    }
  }

  /** The page of the development network, which nobody has asked for, keeps no node from starting. */
  async function addExplorer(): Promise<void> {
    const wanted = explorerWanted(config)
    if (!wanted) return
    const options = explorerOptionsOf(config)
    // What mutual TLS protects must not be served without it.
    const tls = openTls('rpc-http')
    try {
      const listening = await createExplorer({ ...parts, access: http }, tls).catch(
        rethrowListenError('explorer-http', options),
      )
      if (!listening) {
        const level = wanted === 'by option' ? 'warn' : 'info'
        log[level]({}, 'the explorer is not served: its page is missing, npm run build makes it')
        return
      }
      up.push(listening)
      places.set('explorer', { host: listening.host, port: listening.port, isSecure: tls !== undefined })
    } catch (error) {
      if (wanted === 'by option' || !(error instanceof ServerError)) throw error
      log.warn({ reason: error.message }, 'the explorer is not served: {reason}')
    }
  }

  try {
    if (config['rpc-http-enabled'])
      await add('jsonrpc', 'rpc-http', httpOptionsOf(config), (options) =>
        serveHttp(options, { ...parts, access: http }),
      )
    if (config['rpc-ws-enabled'])
      await add('ws', 'rpc-ws', wsOptionsOf(config), (options) => serveWs(options, { ...parts, access: ws }))
    const ipc = ipcOptionsOf(config, parts.dataPath)
    if (ipc) {
      up.push(await serveIpc(ipc, parts).catch(rethrowIpcError(ipc.path)))
      log.info({ path: ipc.path, apis: ipc.namespaces }, 'ipc listens at {path}')
    }
    if (config['graphql-http-enabled'])
      await add('graphql', 'graphql-http', graphqlOptionsOf(config), (options) =>
        serveGraphql(options, graphqlPortsOf({ ...parts, access: http }), openPageFiles()),
      )
    await addExplorer()
    return up
  } catch (error) {
    await Promise.all(up.map((server) => server.close()))
    throw error
  }
}
