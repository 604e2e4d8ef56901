import { join } from 'node:path'
import { type Chain, createChain } from '../chain/chain.ts'
import { createConsensus } from '../consensus/createConsensus.ts'
import { createEngine } from '../evm/engine.ts'
import { createStateStore, type StateStore } from '../state/stateStore.ts'
import { openStore, type Store } from '../store/openStore.ts'
import type { Network } from './network.ts'

/** The data directory and the chain in it. */
export interface OpenChain {
  readonly store: Store
  readonly states: StateStore
  readonly chain: Chain
  close(): Promise<void>
}

export interface OpenChainOptions {
  readonly dataPath: string
  readonly network: Network
  readonly keepRevertReasons: boolean
}

/** Opens the data directory on its network, writing the genesis block into a new one. */
export async function openChain({ dataPath, network, keepRevertReasons }: OpenChainOptions): Promise<OpenChain> {
  const store = openStore(join(dataPath, 'database'))
  try {
    const states = createStateStore(store)
    const consensus = createConsensus(network.spec)
    const chain = createChain({
      spec: network.spec,
      store,
      states,
      consensus,
      evm: createEngine('fast'),
      keepRevertReasons,
    })
    return { store, states, chain, close: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}
