import { readFileSync } from 'node:fs'
import { type ChainSpec, createChainSpec } from '../forks/chainSpec.ts'
import { createDevGenesis, type DevAccount, devNetworkId } from '../forks/devGenesis.ts'
import { bootnodesOf, parseGenesisFile, toGenesisFile } from '../forks/genesisFile.ts'
import { createDevChain, type DevChain } from './devChain.ts'
import { NetworkError } from './fault.ts'

/** The network that a node runs. */
export interface Network {
  readonly name: string
  readonly spec: ChainSpec
  readonly networkId: bigint
  /** Whether it is the built-in development network. */
  readonly isDev: boolean
  /** Bootnodes that the genesis file names, as enode URLs or ENRs. */
  readonly bootnodes?: readonly string[]
  /** Accounts of the development network, whose keys everybody may know. */
  readonly funded: readonly DevAccount[]
}

/** Whether nodes of the network make blocks. To the pool each of them is a producer, validator or not. */
export function producesBlocks({ spec, isDev }: Network): boolean {
  const { kind } = spec.consensus
  return isDev || kind === 'clique' || kind === 'ibft2' || kind === 'qbft'
}

/** Loads the network of a genesis file, or the development network if no file is given. */
export function loadNetwork(
  genesisFile: string | undefined,
  networkId: bigint | undefined,
  dev: DevChain = createDevChain(),
): Network {
  if (genesisFile === undefined) {
    const spec = createChainSpec(toGenesisFile(createDevGenesis(dev.fork, dev.accounts)), { contractsMaySend: true })
    return { name: 'dev', spec, networkId: networkId ?? devNetworkId, isDev: true, funded: dev.accounts }
  }
  return networkOf(genesisFile, readGenesis(genesisFile), networkId)
}

/** The text of a genesis file. */
export function readGenesis(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw genesisError(path, error)
  }
}

/** The network of a genesis file that was read. */
export function networkOf(path: string, text: string, networkId: bigint | undefined): Network {
  try {
    const genesis = parseGenesisFile(text)
    const spec = createChainSpec(genesis)
    const bootnodes = bootnodesOf(genesis)
    return { name: path, spec, networkId: networkId ?? spec.chainId, isDev: false, bootnodes, funded: [] }
  } catch (error) {
    throw genesisError(path, error)
  }
}

function genesisError(path: string, error: unknown): NetworkError {
  const reason = error instanceof Error ? error.message : String(error)
  return new NetworkError({ code: 'GENESIS_FILE', path, reason }, error)
}
