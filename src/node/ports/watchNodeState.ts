import { hasCodeAtHead } from '../../chain/hasCodeAtHead.ts'
import type { Producer } from '../../consensus/producing/producer.ts'
import { type ForkWarning, forkWarnings } from '../../forks/forkWarnings.ts'
import { publicKeyToAddress } from '../../primitives/secp256k1.ts'
import { measureDisk } from '../../reporting/state/diskSpace.ts'
import { type StateWatch, watchState } from '../../reporting/state/watchState.ts'
import type { SyncPort } from '../../rpc/protocol/context.ts'
import type { P2p } from '../createP2p.ts'
import type { NodeParts } from '../openParts.ts'
import { validatorsOf } from '../validatorsOf.ts'

interface ConnectedParts {
  readonly producer: Producer | undefined
  readonly p2p: P2p | undefined
  readonly sync: SyncPort
}

/** What the forks of the genesis file will do to the network, or have done. */
export function forksOf({
  chain,
  network,
  clock,
}: Pick<NodeParts, 'chain' | 'network' | 'clock'>): readonly ForkWarning[] {
  if (network.isDev) return []
  const now = BigInt(Math.floor(clock.now() / 1000))
  return chain.read((view) => forkWarnings(chain.spec, { head: view.head.header, now, hasCode: hasCodeAtHead(view) }))
}

/** The watch of the network's state, with all that a node knows of it. */
export function watchNodeState(parts: NodeParts, { producer, p2p, sync }: ConnectedParts): StateWatch {
  const { config, chain, consensus, key, network, dataPath, clock, loggers } = parts
  return watchState({
    ...{ chain, consensus, clock, sync },
    name: config.identity ?? 'this node',
    address: key.address,
    isDev: network.isDev,
    validators: () => validatorsOf(parts),
    roundStatus: () => producer?.roundStatus?.(),
    proposers: () => producer?.proposers?.(),
    connected: () => p2p?.peers.list().map(({ id }) => publicKeyToAddress(id)),
    refused: () => p2p?.refused() ?? [],
    forks: () => forksOf(parts),
    measureDisk: () => measureDisk(dataPath),
    log: loggers.child('state'),
  })
}
