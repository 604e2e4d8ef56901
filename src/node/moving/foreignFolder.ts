import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Another program whose nodes can be moved over. */
export type ForeignProgram = 'besu' | 'geth'

/** What a node of another program keeps in its data folder; undefined is what it does not have there. */
export interface ForeignFolder {
  readonly keyFile: string | undefined
  readonly genesisFile: string | undefined
  readonly staticNodesFile: string | undefined
  /** Allowlists of accounts and nodes. */
  readonly permissionsFile: string | undefined
  /** JSON-RPC of the node that runs on the folder. */
  readonly rpcUrl: string | undefined
}

const files = {
  besu: { key: ['key'], staticNodes: ['static-nodes.json'], permissions: ['permissions_config.toml'] },
  geth: {
    key: ['geth/nodekey', 'nodekey'],
    staticNodes: ['geth/static-nodes.json', 'static-nodes.json'],
    permissions: [],
  },
} as const satisfies Record<ForeignProgram, Record<string, readonly string[]>>

/** Looks for what a node of another program has in its data folder; reads and writes nothing else. */
export function lookIntoFolder(program: ForeignProgram, folder: string): ForeignFolder {
  const first = (names: readonly string[]) => names.map((name) => join(folder, name)).find((file) => existsSync(file))
  const { key, staticNodes, permissions } = files[program]
  return {
    keyFile: first(key),
    genesisFile: [folder, dirname(folder), dirname(dirname(folder))]
      .map((place) => join(place, 'genesis.json'))
      .find((file) => existsSync(file)),
    staticNodesFile: first(staticNodes),
    permissionsFile: first(permissions),
    rpcUrl: program === 'besu' ? besuUrl(join(folder, 'besu.ports')) : undefined,
  }
}

/** Besu writes its ports to a file while it runs. */
function besuUrl(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const port = /^json-rpc=(\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  return port === undefined ? undefined : `http://127.0.0.1:${port}`
}
