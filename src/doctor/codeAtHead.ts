import { createChainView } from '../chain/createChainView.ts'
import { hasCodeAtHead } from '../chain/hasCodeAtHead.ts'
import type { Network } from '../chainData/network.ts'
import { genesisHashOf } from '../maintenance/genesisHash.ts'
import { type Address, equalBytes, keyOf } from '../primitives/bytes.ts'
import { readStored } from './readStored.ts'

/** Those of the addresses at which the chain of a data path has a contract; undefined if it has no chain of this network. */
export function codeAtHead(
  dataPath: string,
  network: Network,
  addresses: readonly Address[],
): Promise<ReadonlySet<string> | undefined> {
  return readStored(dataPath, network, ({ reader, genesis, consensus, states }) => {
    if (!equalBytes(genesis.hash, genesisHashOf(network))) return undefined
    const view = createChainView({ spec: network.spec, states, consensus }, reader, () => {})
    return new Set(addresses.filter(hasCodeAtHead(view)).map(keyOf))
  })
}
