import { join } from 'node:path'
import { type Chain, createChain } from '../chain/chain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import { createConsensus } from '../consensus/createConsensus.ts'
import { verifySeal } from '../consensus/ethash/verifySeal.ts'
import { createEngine } from '../evm/engine.ts'
import type { Address } from '../primitives/bytes.ts'
import { createStateStore } from '../state/stateStore.ts'
import { openStore } from '../store/openStore.ts'
import type { Network } from './network.ts'

export interface OfflineChainOptions {
  readonly dataPath: string
  readonly network: Network
  readonly keepRevertReasons: boolean
  /** Checks the proof of work of blocks, where the network has one. */
  readonly checkWork: boolean
  /** Who collects the fees of blocks that are made here; undefined where the block itself tells. */
  readonly producer?: Address
}

/** A chain without a node around it. */
export interface OfflineChain {
  readonly chain: Chain
  readonly consensus: ConsensusEngine
  close(): Promise<void>
}

/** Opens the data directory for a command that works on blocks while no node runs. */
export async function openOfflineChain(options: OfflineChainOptions): Promise<OfflineChain> {
  const { dataPath, network, keepRevertReasons, producer } = options
  const { spec } = network
  const store = openStore(join(dataPath, 'database'))
  try {
    const checked = options.checkWork && spec.consensus.kind === 'ethash' && !network.isDev
    const engine = createConsensus(spec, checked ? { checkWork: verifySeal } : {})
    const consensus = producer ? { ...engine, beneficiary: () => producer } : engine
    const states = createStateStore(store)
    const chain = createChain({ spec, store, states, consensus, evm: createEngine('fast'), keepRevertReasons })
    return { chain, consensus, close: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}
