import { explorerWanted } from '../../config/explorerOptions.ts'
import type { Config } from '../../config/options.ts'
import { isLoopback } from '../../net/ip.ts'

/** API groups that change the node, or show what is private. */
const powerful: ReadonlySet<string> = new Set(['ADMIN', 'DEBUG', 'MINER', 'PERM', 'EEA', 'PRIV'])

/** Powerful API groups that anybody who reaches an address of this machine may use. */
export interface ExposedApis {
  readonly server: 'jsonrpc' | 'ws' | 'explorer'
  readonly host: string
  readonly apis: string
  /** The option that protects them. */
  readonly option: string
}

/** Returns what is served beyond this machine without authentication, one entry per server. */
export function exposedApis(config: Config): ExposedApis[] {
  const found: ExposedApis[] = []
  const servers = [
    { server: 'jsonrpc', name: 'http', host: config['rpc-http-host'], isEnabled: config['rpc-http-enabled'] },
    { server: 'ws', name: 'ws', host: config['rpc-ws-host'], isEnabled: config['rpc-ws-enabled'] },
    { server: 'explorer', name: 'http', host: config['explorer-http-host'], isEnabled: explorerWanted(config) },
  ] as const
  for (const { server, name, host, isEnabled } of servers) {
    const apis = config[`rpc-${name}-api`].filter((api) => powerful.has(api))
    const isOpen = isEnabled && !config[`rpc-${name}-authentication-enabled`]
    if (!isOpen || apis.length === 0 || host === 'localhost' || isLoopback(host)) continue
    found.push({ server, host, apis: apis.join(', '), option: `--rpc-${name}-authentication-enabled` })
  }
  return found
}
