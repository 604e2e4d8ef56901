import type { Chain } from '../chain/chain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import { identify } from '../chain/identify.ts'
import type { HeaderTrust } from '../consensus/headerTrust.ts'
import { createEthPeers, type EthPeers } from '../net/eth/ethPeers.ts'
import { createEthProtocols } from '../net/eth/ethProtocol.ts'
import { createRefusedPeers, type RefusedPeers } from '../net/eth/refusedPeers.ts'
import { createTxBroadcaster } from '../net/eth/txBroadcaster.ts'
import { createTxFetcher } from '../net/eth/txFetcher.ts'
import type { SubProtocol } from '../net/protocol.ts'
import { createSnapProtocol } from '../net/snap/snapProtocol.ts'
import type { StateServer } from '../net/snap/stateServer.ts'
import type { Intake } from '../pool/intake.ts'
import type { Pool } from '../pool/pool.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { BlockImporter } from './blockImporter.ts'
import { type BlockPropagation, createBlockPropagation } from './blockPropagation.ts'
import { createSync } from './createSync.ts'
import { createPastDownload } from './snap/pastDownload.ts'
import { createSnapSync, type SnapSettings, type SnapSync } from './snap/snapSync.ts'
import type { Sync } from './sync.ts'

export interface EthServiceParts {
  readonly chain: Chain
  readonly consensus: ConsensusEngine
  readonly networkId: bigint
  readonly pool: Pool
  readonly intake: Intake
  readonly recover: RecoverPool
  /** Starts a thread that imports blocks; without it all are imported in this one. */
  readonly openImporter?: (() => Promise<BlockImporter>) | undefined
  /** How headers are believed whose blocks are not run; absent where only those can be believed that are. */
  readonly trust?: HeaderTrust | undefined
  /** How a chain is joined by the state of a recent block; without it all blocks are run. */
  readonly snap?: SnapSettings | undefined
  /** Called when the blocks before a state that was taken over are there. */
  onPast?(): void
  /** Serves the state to peers; without it they get none. */
  readonly stateServer?: StateServer | undefined
  readonly clock: Clock
  readonly log: Logger
  /** At least 0, below 1. */
  random(): number
}

/** All that a node does over eth: serves requests, gossips, and syncs. */
export interface EthService {
  /** Offered to peers. */
  readonly protocols: readonly SubProtocol[]
  readonly peers: EthPeers
  readonly refused: Pick<RefusedPeers, 'list'>
  readonly sync: Sync
  readonly blocks: Pick<BlockPropagation, 'broadcast'>
  /** To be called after the connections are closed. */
  stop(): Promise<void>
}

/** Connects sync, propagation and gossip to one set of peers. */
export function createEthService(parts: EthServiceParts): EthService {
  const { chain, consensus, networkId, pool, intake, recover, clock, log, random } = parts
  const peers = createEthPeers()
  const refused = createRefusedPeers(clock)
  const knownSender = (hash: Hash32) => pool.get(hash)?.sender
  const { trust } = parts
  const snap =
    trust && parts.snap && createSnapSync({ ...parts.snap, trust, chain, peers, clock, log: log.child('snap') })
  const past =
    trust &&
    createPastDownload({
      ...{ chain, trust, peers, recover, clock, log: log.child('snap') },
      wantsAll: parts.snap?.pastBlocks === Number.POSITIVE_INFINITY,
      onDone: () => parts.onPast?.(),
    })
  const sync = createSync({
    chain,
    snap,
    peers,
    recover,
    openImporter: parts.openImporter,
    knownSender,
    onFollowed() {
      blocks.announceHead()
      past?.look()
    },
    clock,
    log: log.child('sync'),
  })
  const blocks = createBlockPropagation({
    chain,
    consensus,
    peers,
    recover,
    knownSender,
    clock,
    log: log.child('sync'),
    onGap: sync.look,
  })
  const fetcher = createTxFetcher({ chain, pool, intake, peers, clock, log: log.child('eth') })
  const broadcaster = createTxBroadcaster({ pool, peers, clock, random })
  const endLook = peers.onReady(() => past?.look())
  const protocols = createEthProtocols({
    chain,
    networkId,
    identify: (header) => identify(consensus, header),
    pool,
    peers,
    refused,
    gossip: {
      newBlock: blocks.onNewBlock,
      newBlockHashes: blocks.onNewBlockHashes,
      transactions: fetcher.onTransactions,
      newPooledTransactionHashes: fetcher.onAnnouncement,
    },
    clock,
    log: log.child('eth'),
  })
  return {
    protocols: [...protocols, ...snapProtocols(parts, snap)],
    peers,
    refused,
    sync,
    blocks,
    async stop() {
      broadcaster.stop()
      fetcher.stop()
      endLook()
      await past?.stop()
      await sync.stop()
      await blocks.stop()
    },
  }
}

/** What peers are offered that take over the state, or that it is taken over from. */
function snapProtocols({ stateServer, clock, log }: EthServiceParts, snap: SnapSync | undefined): SubProtocol[] {
  if (!stateServer && !snap) return []
  const server = stateServer ?? { ask: () => Promise.reject(new Error('this node does not serve its state')) }
  return [
    createSnapProtocol({ server, client: snap?.client, clock, now: () => performance.now(), log: log.child('snap') }),
  ]
}
