import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ConsensusEngine } from '../chain/engine.ts'
import { canonicalKey } from '../chain/records.ts'
import type { Network } from '../chainData/network.ts'
import { createConsensus } from '../consensus/createConsensus.ts'
import { createPublicState } from '../state/publicState.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { BlockKey } from '../store/chainTables.ts'
import { openStore } from '../store/openStore.ts'
import type { Reader } from '../store/table.ts'

/** The chain of a data path, as it is stored. */
export interface StoredChain {
  readonly reader: Reader
  readonly genesis: BlockKey
  readonly consensus: ConsensusEngine
  readonly states: StateStore
}

/** Reads the chain of a data path, which a node may have open; undefined if there is none. */
export async function readStored<T>(
  dataPath: string,
  network: Network,
  ask: (chain: StoredChain) => T,
): Promise<T | undefined> {
  const path = join(dataPath, 'database')
  if (!existsSync(join(path, 'data.mdb'))) return undefined
  const store = openStore(path, { readOnly: true })
  try {
    const consensus = createConsensus(network.spec)
    const states = createPublicState(store)
    return store.read((reader) => {
      const genesis = canonicalKey(reader, 0n)
      return genesis && ask({ reader, genesis, consensus, states })
    })
  } finally {
    await store.close()
  }
}
