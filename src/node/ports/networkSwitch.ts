import type { HashedBlock } from '../../chain/view.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Sync } from '../../sync/sync.ts'

/** What the other parts of a node use of the peer-to-peer network. */
export interface PeerNetwork {
  readonly sync: Pick<Sync, 'status' | 'isCatchingUp' | 'standing' | 'onStatus' | 'probe'>
  /** Announces a block that was made here and is in the chain; `holders` probably have it. */
  broadcastBlock(block: HashedBlock, holders?: readonly Address[]): void
}

/** A network without peers: there is nobody to catch up with. */
const offline: PeerNetwork = {
  sync: {
    status: () => undefined,
    isCatchingUp: () => false,
    standing: () => 'level',
    onStatus: () => () => {},
    probe() {},
  },
  broadcastBlock() {},
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
      isCatchingUp: () => network.sync.isCatchingUp(),
      standing: () => network.sync.standing(),
      onStatus: (listener) => network.sync.onStatus(listener),
      probe: (address) => network.sync.probe(address),
    },
    broadcastBlock: (block, holders) => network.broadcastBlock(block, holders),
  }
}
