import { apiOptions } from './apiOptions.ts'
import { graphqlOptions } from './graphqlOptions.ts'
import { keyOptions } from './keyOptions.ts'
import { metricsOptions } from './metricsOptions.ts'
import { miningOptions } from './miningOptions.ts'
import { nodeOptions } from './nodeOptions.ts'
import type { Values } from './option.ts'
import { p2pOptions } from './p2pOptions.ts'
import { permissionOptions } from './permissionOptions.ts'
import { poolOptions } from './poolOptions.ts'
import { privacyOptions } from './privacyOptions.ts'
import { httpOptions, ipcOptions, wsOptions } from './rpcOptions.ts'
import { sourcesOptions } from './sourcesOptions.ts'

/** Headings of the help text and of the generated page, in order. */
export const groups = {
  node: 'Node and chain',
  mining: 'Block production',
  p2p: 'Peers',
  http: 'JSON-RPC over HTTP',
  ws: 'JSON-RPC over WebSocket',
  ipc: 'JSON-RPC over IPC',
  graphql: 'GraphQL',
  explorer: 'Explorer',
  api: 'API limits and gas price',
  pool: 'Transaction pool',
  permissions: 'Permissioning',
  privacy: 'Private transactions',
  metrics: 'Metrics',
} as const

/** Options of the main command. Parser, help, environment and TOML names, docs and `Config` are derived from it. */
export const options = {
  ...nodeOptions,
  ...keyOptions,
  ...miningOptions,
  ...p2pOptions,
  ...httpOptions,
  ...wsOptions,
  ...ipcOptions,
  ...graphqlOptions,
  ...sourcesOptions,
  ...apiOptions,
  ...poolOptions,
  ...permissionOptions,
  ...privacyOptions,
  ...metricsOptions,
}

/** Values of all options. */
export type Config = Values<typeof options>
