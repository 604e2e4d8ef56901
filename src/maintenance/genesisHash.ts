import { allocation } from '../chain/genesis.ts'
import type { Network } from '../chainData/network.ts'
import { createConsensus } from '../consensus/createConsensus.ts'
import { genesisHeader } from '../forks/genesisHeader.ts'
import { emptyBytes, type Hash32 } from '../primitives/bytes.ts'
import { createSpace } from '../state/space.ts'
import { createStateParts } from '../state/stateParts.ts'
import { computeUpdate } from '../state/update.ts'

const nothing = { get: () => undefined, peek: () => undefined, range: () => [] }

/** The hash of a network's genesis block, which needs no database. */
export function genesisHashOf({ spec }: Network): Hash32 {
  const parts = createStateParts(createSpace(emptyBytes))
  const { root } = computeUpdate(parts, nothing, 'latest', allocation(spec.genesis.alloc))
  return createConsensus(spec).hash(genesisHeader(spec, root))
}
