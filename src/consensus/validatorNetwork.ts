import type { HashedBlock } from '../chain/view.ts'
import type { Address } from '../primitives/bytes.ts'

/** What a producer needs of the network. */
export interface ValidatorNetwork {
  /** Sends to every peer that speaks the protocol and whose node key has an address that `to` takes. */
  send(protocol: string, code: number, data: Uint8Array, to: (address: Address) => boolean): void
  /** Announces a block that was made here, to all peers that do not have it yet. */
  broadcastBlock(block: HashedBlock): void
  /** A peer is known to have the chain up to this number: synchronisation may fetch from it. */
  raiseHeight(address: Address, number: bigint): void
  /** False while the chain is behind those of the peers: nothing is made or signed then. */
  isInSync(): boolean
}
