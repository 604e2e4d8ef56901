import type { HashedBlock } from '../chain/view.ts'
import type { Address } from '../primitives/bytes.ts'

/** What a block producer needs from the P2P network. */
export interface ValidatorNetwork {
  /** Sends a message to each peer with this sub-protocol whose address (of its node key) `to` accepts. */
  send(protocol: string, code: number, data: Uint8Array, to: (address: Address) => boolean): void
  /** Sends a block made by this node to all peers that do not have it yet. */
  broadcastBlock(block: HashedBlock): void
  /** Notes that a peer has the chain up to this block, so that it can be synced from. */
  raiseHeight(address: Address, number: bigint): void
  /** False while the node is syncing; nothing is made or signed then. */
  isInSync(): boolean
}
