import type { Chain } from '../chain/chain.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { EthPeers } from '../net/eth/ethPeers.ts'
import { EthError } from '../net/eth/fault.ts'
import { type Address, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { Block } from '../types/block.ts'
import type { BlockImporter } from './blockImporter.ts'
import { createByteGate } from './byteGate.ts'
import { createCatchUp } from './catchUp.ts'
import { type ChainHead, chooseTarget, isAhead, type PlacedPeer } from './chooseTarget.ts'
import { downloadBlocks } from './downloadBlocks.ts'
import { SyncError } from './fault.ts'
import { findAncestor } from './findAncestor.ts'
import { importDownloaded } from './importDownloaded.ts'
import { createObstacleNote } from './obstacle.ts'
import { createPeerSlots } from './peerSlots.ts'
import { segmentLength } from './planSegments.ts'
import { createProgressMeter, type SyncProgress } from './progress.ts'
import type { Sync } from './sync.ts'
import type { SyncStatus } from './syncStatus.ts'
import { trackPeerHeads } from './trackPeerHeads.ts'

export interface SyncParts {
  readonly chain: Pick<Chain, 'head' | 'read' | 'importBlocks' | 'onHead'>
  /** Starts a thread that imports blocks, one at a time; without it this one does. */
  readonly openImporter?: (() => Promise<BlockImporter>) | undefined
  readonly peers: EthPeers
  readonly recover: RecoverPool
  knownSender(hash: Hash32): Address | undefined
  /** Called when a peer's chain has been imported to its end. */
  onFollowed(): void
  readonly clock: Clock
  readonly log: Logger
}

/** Milliseconds between searches for a better chain. */
const lookEvery = 5000
/** Milliseconds to wait after a failure. */
const pauseAfterFailure = 2000
/** Milliseconds to wait before a branch that this node cannot change to is downloaded again: only an operator can help. */
const pauseAtBranch = 30_000
const reportEvery = 8000
/** Milliseconds between two probes of one peer. */
const probeEvery = 2000
/** Blocks that a node in sync may be behind: they are on their way. */
const tolerance = 5n
/** From so many blocks on it is worth starting a thread that imports them. */
const threadFrom = 128n
/** Bytes of bodies that are downloaded ahead of the import. */
const maxBytesAhead = 16 << 20

/** Imports blocks in this thread. */
function importHere(chain: Pick<Chain, 'importBlocks'>): BlockImporter {
  return { importBlocks: async (blocks) => chain.importBlocks(blocks), async end() {} }
}

/** Downloads the missing blocks of the best peer's chain from all peers that have them, and imports them. */
/**
 * Full synchronisation: chooses the peer with the best chain, finds where it leaves ours, downloads and imports. One attempt at a time, since
 * two would fetch the same blocks; an attempt that fails is not repeated at once, as its peer may be the reason. New blocks near the head
 * do not come here but through `blockPropagation.ts`.
 */
export function createSync(parts: SyncParts): Sync {
  const { chain, peers, recover, knownSender, clock, log } = parts
  const listeners = new Set<(status: SyncStatus | undefined) => void>()
  /** Height to which a peer's chain was imported: unless its total difficulty is greater than ours, it is followed again only when it grows. */
  const followed = new WeakMap<EthPeer, bigint>()
  const meter = createProgressMeter(clock)
  const catchUp = createCatchUp(clock, tolerance)
  const obstacles = createObstacleNote(clock, log)
  /** Peers that were asked lately whether they have blocks that are missing here. */
  const probed = new WeakSet<EthPeer>()
  let local: ChainHead | undefined
  let startingBlock: bigint | undefined
  let running: Promise<void> | undefined
  let stopped = false
  let cancelPause: (() => void) | undefined
  let reported = 0

  function localHead(): ChainHead {
    local ??= chain.read((view) => {
      const { header, hash } = view.head
      return { number: header.number, totalDifficulty: view.totalDifficulty(hash)! }
    })
    return local
  }

  function target(): PlacedPeer | undefined {
    const here = localHead()
    const open = peers.all().filter((peer) => {
      const height = followed.get(peer)
      const isHeavier = peer.head.totalDifficulty > here.totalDifficulty
      return isAhead(peer, here) && (isHeavier || height === undefined || peer.head.number > height)
    })
    return chooseTarget(open, here)
  }

  function status(): SyncStatus | undefined {
    const best = target()
    const { number } = localHead()
    const obstacle = obstacles.current(number)
    const isBehind = best !== undefined && best.head.number > number + tolerance
    if (!isBehind && !obstacle) return undefined
    const heights = [best?.head.number ?? 0n, obstacle?.highest ?? 0n]
    return {
      startingBlock: startingBlock ?? number,
      currentBlock: number,
      highestBlock: heights[0]! > heights[1]! ? heights[0]! : heights[1]!,
      ...(obstacle && { stuck: obstacle.reason }),
    }
  }

  /** Tells listeners when the node falls behind and when it has caught up. */
  function update(): void {
    const now = status()
    if ((now === undefined) === (startingBlock === undefined)) return
    startingBlock = now?.currentBlock
    if (now) {
      const fields = { from: Number(now.currentBlock), to: Number(now.highestBlock), peers: peers.all().length }
      log.info(fields, 'syncing from #{from} to #{to}. Peers: {peers}')
    } else
      log.info(
        { number: Number(localHead().number), peers: peers.all().length },
        'in sync at #{number}. Peers: {peers}',
      )
    for (const listener of listeners) listener(now)
  }

  function progress(): SyncProgress | undefined {
    const now = status()
    return now && meter.at(now.currentBlock, now.highestBlock)
  }

  function onImported(blocks: readonly Block[]): void {
    meter.add(
      blocks.length,
      blocks.reduce((sum, { header }) => sum + Number(header.gasUsed), 0),
    )
    catchUp.onImported(blocks.length)
    update()
    if (clock.now() - reported < reportEvery) return
    reported = clock.now()
    const now = progress()
    if (!now) return
    log.info(
      {
        number: Number(now.current),
        of: Number(now.highest),
        blocksPerSecond: Math.round(now.blocksPerSecond),
        mgasPerSecond: Math.round(now.gasPerSecond / 10_000) / 100,
        secondsLeft: now.left === undefined ? undefined : Math.round(now.left),
        peers: peers.all().length,
      },
      'syncing',
    )
  }

  async function follow(peer: PlacedPeer): Promise<void> {
    const goal = peer.head
    catchUp.onStarted()
    const ancestor = await findAncestor(peer, chain)
    const from = { number: ancestor.header.number, hash: ancestor.hash }
    const gate = createByteGate(maxBytesAhead, from.number + 1n, segmentLength)
    const isFar = goal.number - from.number >= threadFrom
    const importer = isFar && parts.openImporter ? await parts.openImporter() : importHere(chain)
    const slots = createPeerSlots(peers)
    try {
      const blocks = downloadBlocks(peer, from, goal.number, { slots, gate })
      const options = { target: peer, isStopped: () => stopped, onImported }
      await importDownloaded(blocks, { chain, importer, recover, knownSender, gate }, options)
    } finally {
      slots.close()
      await importer.end()
    }
    followed.set(peer, goal.number)
    parts.onFollowed()
    // It claimed blocks that it does not have; anyone who goes on like that is disconnected.
    if (goal.number > localHead().number + tolerance) peer.useless()
    if (goal.totalDifficulty > localHead().totalDifficulty && peer.head === goal)
      throw new SyncError({
        code: 'PEER_AT_FAULT',
        peer,
        parting: 'uselessPeer',
        reason: 'its chain has less total difficulty than it announced',
      })
  }

  function noteObstacle(error: unknown, peer: EthPeer): void {
    if (!(error instanceof SyncError) || !('block' in error.at) || error.at.block === undefined) return
    const { block, code } = error.at
    const isBranch = code === 'BRANCH_TOO_DEEP'
    // The chain may have come to it by another way meanwhile.
    if (block <= localHead().number && !isBranch) return
    obstacles.onFailure({ block, highest: peer.head.number ?? block, reason: error.message, isBranch })
  }

  async function onFailure(error: unknown, peer: EthPeer): Promise<void> {
    noteObstacle(error, peer)
    if (error instanceof SyncError && error.at.code === 'PEER_AT_FAULT') {
      const { peer: culprit, parting, reason } = error.at
      log.warn({ peer: culprit.info.remote, client: culprit.info.clientId, reason }, 'disconnecting peer')
      peers.remove(culprit)
      culprit.disconnect(parting)
      return
    }
    if (error instanceof SyncError || error instanceof EthError)
      log.debug({ peer: peer.info.remote, client: peer.info.clientId, error: String(error) }, 'sync interrupted')
    else log.error({ error: String(error) }, 'sync failed')
    const isTooDeep = error instanceof SyncError && error.at.code === 'BRANCH_TOO_DEEP'
    await pause(isTooDeep ? pauseAtBranch : pauseAfterFailure)
  }

  const pause = (milliseconds: number) =>
    new Promise<void>((done) => {
      const cancel = clock.after(milliseconds, done)
      cancelPause = () => {
        cancel()
        done()
      }
    })

  async function run(): Promise<void> {
    for (let peer = target(); peer && !stopped; peer = target()) {
      update()
      try {
        await follow(peer)
      } catch (error) {
        if (stopped) return
        await onFailure(error, peer)
      }
    }
    update()
  }

  function probe(address: Address): void {
    for (const peer of peers.all())
      if (equalBytes(peer.info.address, address) && !probed.has(peer)) void probePeer(peer)
  }

  async function probePeer(peer: EthPeer): Promise<void> {
    probed.add(peer)
    clock.after(probeEvery, () => probed.delete(peer))
    try {
      const start = localHead().number + 1n
      const [next] = await peer.headers({ start, count: 1, skip: 0, reverse: false })
      if (!next) return
      peer.raiseNumber(next.header.number)
      look()
    } catch (error) {
      log.debug({ peer: peer.info.remote, error: String(error) }, 'peer did not say whether it is ahead')
    }
  }

  function look(): void {
    if (stopped) return
    running ??= run()
      .catch((error) => log.error({ error: String(error) }, 'sync failed'))
      .finally(() => {
        running = undefined
      })
  }

  let cancelLook = clock.after(lookEvery, again)
  function again(): void {
    cancelLook = clock.after(lookEvery, again)
    look()
  }

  const ends = [
    chain.onHead(() => {
      local = undefined
    }),
    trackPeerHeads(peers, chain, look),
    peers.onGone(update),
  ]

  return {
    look,
    status,
    progress,
    isInSync: () => status() === undefined,
    isCatchingUp: () => catchUp.isLikely() && status() !== undefined,
    probe,
    onStatus(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async stop() {
      stopped = true
      for (const end of ends) end()
      catchUp.stop()
      cancelLook()
      cancelPause?.()
      await running
    },
  }
}
