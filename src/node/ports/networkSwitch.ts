import type { HashedBlock } from '../../chain/view.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Sync } from '../../sync/sync.ts'

/** What the other parts of a node use of the peer-to-peer network. */
export interface PeerNetwork {
  readonly sync: Pick<Sync, 'status' | 'isInSync' | 'onStatus'>
  /** Announces a block that was made here and is in the chain. */
  broadcastBlock(block: HashedBlock): void
  /** Notes that a peer has the chain up to this number. */
  raiseHeight(address: Address, number: bigint): void
}

/** A network without peers: there is nobody to catch up with. */
const offline: PeerNetwork = {
  sync: { status: () => undefined, isInSync: () => true, onStatus: () => () => {} },
  broadcastBlock() {},
  raiseHeight() {},
}

/** A network for parts that are created before it: offline until it is switched on. */
export interface NetworkSwitch extends PeerNetwork {
  switchOn(network: PeerNetwork): void
}

export function createNetworkSwitch(): NetworkSwitch {
  let network = offline
  return {
    switchOn(started) {
      network = started
    },
    sync: {
      status: () => network.sync.status(),
      isInSync: () => network.sync.isInSync(),
      onStatus: (listener) => network.sync.onStatus(listener),
    },
    broadcastBlock: (block) => network.broadcastBlock(block),
    raiseHeight: (address, number) => network.raiseHeight(address, number),
  }
}
