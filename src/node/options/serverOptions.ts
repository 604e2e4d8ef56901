import { basename, join, resolve } from 'node:path'
import type { Config } from '../../config/options.ts'
import type { GraphqlServeOptions } from '../../graphql/serve.ts'
import type { HttpServeOptions, IpcServeOptions, WsServeOptions } from '../../rpc/server/serve.ts'

/** The options of JSON-RPC over HTTP as the command line gives them. */
export function httpOptionsOf(config: Config): HttpServeOptions {
  return {
    host: config['rpc-http-host'],
    port: config['rpc-http-port'],
    namespaces: config['rpc-http-api'],
    maxBatch: config['rpc-http-max-batch-size'],
    gasCap: config['rpc-gas-cap'],
    maxBody: config['rpc-http-max-request-content-length'],
    maxConnections: config['rpc-http-max-active-connections'],
    hostAllowlist: config['host-allowlist'],
    corsOrigins: config['rpc-http-cors-origins'],
    timeout: config['Xhttp-timeout-seconds'] * 1000,
    pretty: config['json-pretty-print-enabled'],
  }
}

/** The options of JSON-RPC over WebSocket as the command line gives them. */
export function wsOptionsOf(config: Config): WsServeOptions {
  return {
    host: config['rpc-ws-host'],
    port: config['rpc-ws-port'],
    namespaces: config['rpc-ws-api'],
    maxBatch: config['rpc-http-max-batch-size'],
    gasCap: config['rpc-gas-cap'],
    maxConnections: config['rpc-ws-max-active-connections'],
    maxMessage: 4 * config['rpc-ws-max-frame-size'],
    hostAllowlist: config['host-allowlist'],
    corsOrigins: config['rpc-http-cors-origins'],
    timeout: config['Xws-timeout-seconds'] * 1000,
  }
}

/** The options of JSON-RPC over IPC as the command line gives them; undefined where it is not served. */
export function ipcOptionsOf(config: Config, dataPath: string): IpcServeOptions | undefined {
  const path = config['ipc-path']
  if (path === undefined) return undefined
  return {
    // As in geth, a name is that of a file beside the database.
    path: path === basename(path) ? join(dataPath, path) : resolve(path),
    namespaces: config['ipc-api'],
    maxBatch: config['rpc-http-max-batch-size'],
    gasCap: config['rpc-gas-cap'],
    maxMessage: config['rpc-http-max-request-content-length'],
    timeout: config['Xws-timeout-seconds'] * 1000,
  }
}

/** The options of GraphQL as the command line gives them. */
export function graphqlOptionsOf(config: Config): GraphqlServeOptions {
  return {
    host: config['graphql-http-host'],
    port: config['graphql-http-port'],
    hostAllowlist: config['host-allowlist'],
    corsOrigins: config['graphql-http-cors-origins'],
    maxConnections: config['rpc-http-max-active-connections'],
    timeout: config['Xhttp-timeout-seconds'] * 1000,
    pretty: config['json-pretty-print-enabled'],
    longAsHex: config['graphql-long-as-hex'],
    gasCap: config['rpc-gas-cap'],
  }
}
