import type { ExplorerOptions } from '../explorer/serveExplorer.ts'
import type { Config } from './options.ts'

const defaultPort = 8548

/** Whether the operator has asked for the explorer, or gets it because the node runs the development network. */
export function explorerWanted(config: Config): 'by option' | 'by default' | undefined {
  const isEnabled = config['explorer-enabled']
  if (isEnabled !== undefined) return isEnabled ? 'by option' : undefined
  return config['genesis-file'] === undefined && config['rpc-http-enabled'] ? 'by default' : undefined
}

/** Whether a server has the methods of Otterscan, which need the index of accounts. */
export function servesOts(config: Config): boolean {
  const overHttp = config['rpc-http-enabled'] || explorerWanted(config) !== undefined
  const enabled = [
    ...(overHttp ? config['rpc-http-api'] : []),
    ...(config['rpc-ws-enabled'] ? config['rpc-ws-api'] : []),
  ]
  return enabled.includes('OTS')
}

/** The options of the explorer's server as the command line gives them. */
export function explorerOptionsOf(config: Config): ExplorerOptions {
  return {
    host: config['explorer-http-host'],
    port: config['explorer-http-port'] ?? (config['rpc-http-port'] === 0 ? 0 : defaultPort),
    hostAllowlist: config['host-allowlist'],
    maxConnections: config['rpc-http-max-active-connections'],
    timeout: config['Xhttp-timeout-seconds'] * 1000,
  }
}
