import { readFileSync } from 'node:fs'
import { type ChainSpec, createChainSpec } from '../forks/chainSpec.ts'
import { devGenesis, devNetworkId } from '../forks/devGenesis.ts'
import { parseGenesisFile, toGenesisFile } from '../forks/genesisFile.ts'
import { NetworkError } from './fault.ts'

/** The network that a node runs. */
export interface Network {
  readonly name: string
  readonly spec: ChainSpec
  readonly networkId: bigint
  /** Whether it is the built-in development network. */
  readonly isDev: boolean
}

/** Whether nodes of the network make blocks. To the pool each of them is a producer, validator or not. */
export function producesBlocks({ spec, isDev }: Network): boolean {
  const { kind } = spec.consensus
  return isDev || kind === 'clique' || kind === 'ibft2' || kind === 'qbft'
}

/** Loads the network of a genesis file, or the development network if no file is given. */
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
