import type { HashedBlock } from '../chain/view.ts'
import type { Address } from '../primitives/bytes.ts'

/** Without peers, behind one of them by what it claims, or level with all. */
export type Standing = 'alone' | 'behind' | 'level'

/** What a block producer needs from the P2P network. */
export interface ValidatorNetwork {
  /** Sends a message to each peer with this sub-protocol whose address (of its node key) `to` accepts. */
  send(protocol: string, code: number, data: Uint8Array, to: (address: Address) => boolean): void
  /** Sends a block made by this node to all peers that do not have it yet; holders, which probably do, get its hash only. */
  broadcastBlock(block: HashedBlock, holders: readonly Address[]): void
  /** Asks a peer whether it has blocks that are missing here. */
  probe(address: Address): void
  /** Counts a useless message against a peer; one that sends too many is disconnected. */
  blame(address: Address): void
  /** True while missing blocks are really being imported: no block is made then. What peers claim does not count. */
  isCatchingUp(): boolean
  /** Where this node's head is among those of its peers, as far as they are known. Absent where all are always level. */
  standing?(): Standing
}
