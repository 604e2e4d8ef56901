import { readFileSync } from 'node:fs'
import { type ChainSpec, createChainSpec } from '../forks/chainSpec.ts'
import { devGenesis, devNetworkId } from '../forks/devGenesis.ts'
import { parseGenesisFile, toGenesisFile } from '../forks/genesisFile.ts'
import { Fault } from '../primitives/fault.ts'

/** The network that a node is told to run. */
export interface Network {
  readonly name: string
  readonly spec: ChainSpec
  readonly networkId: bigint
  /** The built-in development network. */
  readonly isDev: boolean
}

export type NetworkFault =
  | { code: 'GENESIS_FILE'; path: string; reason: string }
  | { code: 'CANNOT_MINE'; engine: ChainSpec['consensus']['kind'] }

/** The message is one line for the operator. */
export class NetworkError extends Fault<NetworkFault> {
  constructor(at: NetworkFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(at: NetworkFault): string {
  if (at.code === 'GENESIS_FILE') return `Unable to load genesis file. ${at.path}: ${at.reason}`
  return `--miner-enabled: on a network whose engine is '${at.engine}' blocks are imported and served, not made`
}

/** Engines whose nodes count as producers for the pool, whether or not they are validators. */
export function isAuthorityNetwork({ consensus }: ChainSpec): boolean {
  return consensus.kind === 'clique' || consensus.kind === 'ibft2' || consensus.kind === 'qbft'
}

/** Reads the genesis file, or takes the development network where none is given. */
export function loadNetwork(genesisFile: string | undefined, networkId: bigint | undefined): Network {
  if (genesisFile === undefined) {
    const spec = createChainSpec(toGenesisFile(devGenesis))
    return { name: 'dev', spec, networkId: networkId ?? devNetworkId, isDev: true }
  }
  try {
    const spec = createChainSpec(parseGenesisFile(readFileSync(genesisFile, 'utf8')))
    return { name: genesisFile, spec, networkId: networkId ?? spec.chainId, isDev: false }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new NetworkError({ code: 'GENESIS_FILE', path: genesisFile, reason }, error)
  }
}
