import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createChainView } from '../chain/createChainView.ts'
import { hasCodeAtHead } from '../chain/hasCodeAtHead.ts'
import { canonicalKey } from '../chain/records.ts'
import type { Network } from '../chainData/network.ts'
import { createConsensus } from '../consensus/createConsensus.ts'
import { genesisHashOf } from '../maintenance/genesisHash.ts'
import { type Address, equalBytes, keyOf } from '../primitives/bytes.ts'
import { createPublicState } from '../state/publicState.ts'
import { openStore } from '../store/openStore.ts'

/** Those of the addresses at which the chain of a data path has a contract; undefined if it has no chain of this network. */
export async function codeAtHead(
  dataPath: string,
  network: Network,
  addresses: readonly Address[],
): Promise<ReadonlySet<string> | undefined> {
  const path = join(dataPath, 'database')
  if (!existsSync(join(path, 'data.mdb'))) return undefined
  const store = openStore(path, { readOnly: true })
  try {
    const consensus = createConsensus(network.spec)
    const states = createPublicState(store)
    return store.read((reader) => {
      const genesis = canonicalKey(reader, 0n)
      if (!genesis || !equalBytes(genesis.hash, genesisHashOf(network))) return undefined
      const view = createChainView({ spec: network.spec, states, consensus }, reader, () => {})
      return new Set(addresses.filter(hasCodeAtHead(view)).map(keyOf))
    })
  } finally {
    await store.close()
  }
}
