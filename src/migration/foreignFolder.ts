import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findGethConfig } from './gethConfig.ts'

/** Another program whose nodes can be moved over. */
export type ForeignProgram = 'besu' | 'geth'

/** What a node of another program keeps in its data folder; undefined is what it does not have there. */
export interface ForeignFolder {
  readonly keyFile: string | undefined
  readonly genesisFile: string | undefined
  /** A JSON file, or a configuration file that lists them. */
  readonly staticNodes: { readonly file: string; readonly enodes?: readonly string[] } | undefined
  /** Allowlists of accounts and nodes. */
  readonly permissionsFile: string | undefined
  /** JSON-RPC of the node that runs on the folder: a URL or a socket. */
  readonly rpc: string | undefined
  readonly networkId: bigint | undefined
  /** Folder of encrypted keys of accounts. */
  readonly keystore: string | undefined
}

const files = {
  besu: { key: ['key'], staticNodes: ['static-nodes.json'], permissions: ['permissions_config.toml'] },
  geth: {
    key: ['geth/nodekey', 'nodekey'],
    staticNodes: ['geth/static-nodes.json', 'static-nodes.json'],
    permissions: [],
  },
} as const satisfies Record<ForeignProgram, Record<string, readonly string[]>>

/** What is known of a node of which there is only a URL. */
export const emptyFolder: ForeignFolder = {
  keyFile: undefined,
  genesisFile: undefined,
  staticNodes: undefined,
  permissionsFile: undefined,
  rpc: undefined,
  networkId: undefined,
  keystore: undefined,
}

/** Looks for what a node of another program has in its data folder; reads and writes nothing else. */
export function lookIntoFolder(program: ForeignProgram, folder: string): ForeignFolder {
  const first = (names: readonly string[]) => names.map((name) => join(folder, name)).find((file) => existsSync(file))
  const { key, staticNodes, permissions } = files[program]
  const nodesFile = first(staticNodes)
  const found: ForeignFolder = {
    ...emptyFolder,
    keyFile: first(key),
    genesisFile: [folder, dirname(folder), dirname(dirname(folder))]
      .map((place) => join(place, 'genesis.json'))
      .find((file) => existsSync(file)),
    staticNodes: nodesFile === undefined ? undefined : { file: nodesFile },
    permissionsFile: first(permissions),
  }
  if (program === 'besu') return { ...found, rpc: besuUrl(join(folder, 'besu.ports')) }
  const config = findGethConfig(folder)
  return {
    ...found,
    ...(config?.staticNodes.length && { staticNodes: { file: config.file, enodes: config.staticNodes } }),
    rpc: socketAt(config?.ipcPath ?? join(folder, 'geth.ipc')),
    networkId: config?.networkId,
    keystore: first(['keystore']),
  }
}

/** Besu writes its ports to a file while it runs. */
function besuUrl(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const port = /^json-rpc=(\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  return port === undefined ? undefined : `http://127.0.0.1:${port}`
}

/** geth removes its socket when it stops. */
function socketAt(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isSocket() ? path : undefined
}
