import type { Chain } from '../chain/chain.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import { EthError } from '../net/eth/fault.ts'
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
import { createPeerProbes } from './peerProbes.ts'
import { createPeerSlots } from './peerSlots.ts'
import { segmentLength } from './planSegments.ts'
import { createProgressMeter, type SyncProgress } from './progress.ts'
import type { SnapHost } from './snap/snapSync.ts'
import type { Sync } from './sync.ts'
import { type SyncParts, tolerance } from './syncParts.ts'
import type { SyncStatus } from './syncStatus.ts'
import { trackPeerHeads } from './trackPeerHeads.ts'

/** Milliseconds between searches for a better chain. */
const lookEvery = 5000
/** Milliseconds to wait after a failure. */
const pauseAfterFailure = 2000
/** Milliseconds to wait before a branch that this node cannot change to is downloaded again: only an operator can help. */
const pauseAtBranch = 30_000
const reportEvery = 8000
/** From so many blocks on it is worth starting a thread that imports them. */
const threadFrom = 128n
/** Bytes of bodies that are downloaded ahead of the import. */
const maxBytesAhead = 16 << 20

/** Imports blocks in this thread. */
function importHere(chain: Pick<Chain, 'importBlocks'>): BlockImporter {
  return { importBlocks: async (blocks) => chain.importBlocks(blocks), async end() {} }
}

/** Which peer is asked for what, and how far the chain is behind the best of them. */
class ChainSync implements Sync {
  private readonly parts: SyncParts
  private readonly listeners = new Set<(status: SyncStatus | undefined) => void>()
  /** Height to which a peer's chain was imported: unless its total difficulty is greater than ours, it is followed again only when it grows. */
  private readonly followed = new WeakMap<EthPeer, bigint>()
  private readonly meter: ReturnType<typeof createProgressMeter>
  private readonly catchUp: ReturnType<typeof createCatchUp>
  private readonly obstacles: ReturnType<typeof createObstacleNote>
  readonly probe: Sync['probe']
  private local: ChainHead | undefined
  private startingBlock: bigint | undefined
  private running: Promise<void> | undefined
  private stopped = false
  private cancelPause: (() => void) | undefined
  private reported = 0
  private cancelLook: () => void
  private readonly ends: readonly (() => void)[]

  constructor(parts: SyncParts) {
    this.parts = parts
    this.meter = createProgressMeter(parts.clock)
    this.catchUp = createCatchUp(parts.clock, tolerance)
    this.obstacles = createObstacleNote(parts.clock, parts.log)
    this.probe = createPeerProbes({ ...parts, head: () => this.localHead().number, onAhead: this.look })
    this.cancelLook = parts.clock.after(lookEvery, this.again)
    this.ends = [
      parts.chain.onHead(() => {
        this.local = undefined
      }),
      trackPeerHeads(parts.peers, parts.chain, this.look),
      parts.peers.onGone(this.update),
    ]
  }

  private localHead(): ChainHead {
    this.local ??= this.parts.chain.read((view) => {
      const { header, hash } = view.head
      return { number: header.number, totalDifficulty: view.totalDifficulty(hash)! }
    })
    return this.local
  }

  private target(): PlacedPeer | undefined {
    const here = this.localHead()
    const open = this.parts.peers.all().filter((peer) => {
      const height = this.followed.get(peer)
      const isHeavier = peer.head.totalDifficulty > here.totalDifficulty
      return isAhead(peer, here) && (isHeavier || height === undefined || peer.head.number > height)
    })
    return chooseTarget(open, here)
  }

  readonly status = (): SyncStatus | undefined => {
    const best = this.target()
    const { number } = this.localHead()
    const snap = this.parts.snap?.progress()
    if (snap) {
      const highest = best?.head.number ?? 0n
      const highestBlock = highest > snap.header ? highest : snap.header
      return { startingBlock: this.startingBlock ?? number, currentBlock: number, highestBlock, snap }
    }
    const obstacle = this.obstacles.current(number)
    const isBehind = best !== undefined && best.head.number > number + tolerance
    if (!isBehind && !obstacle) return undefined
    const heights = [best?.head.number ?? 0n, obstacle?.highest ?? 0n]
    return {
      startingBlock: this.startingBlock ?? number,
      currentBlock: number,
      highestBlock: heights[0]! > heights[1]! ? heights[0]! : heights[1]!,
      ...(obstacle && { stuck: obstacle.reason }),
    }
  }

  /** Tells listeners when the node falls behind and when it has caught up. */
  private readonly update = (): void => {
    const now = this.status()
    if ((now === undefined) === (this.startingBlock === undefined)) return
    this.startingBlock = now?.currentBlock
    if (now) {
      const fields = {
        from: Number(now.currentBlock),
        to: Number(now.highestBlock),
        peers: this.parts.peers.all().length,
      }
      this.parts.log.info(fields, 'syncing from #{from} to #{to}. Peers: {peers}')
    } else
      this.parts.log.info(
        { number: Number(this.localHead().number), peers: this.parts.peers.all().length },
        'in sync at #{number}. Peers: {peers}',
      )
    for (const listener of this.listeners) listener(now)
  }

  readonly progress = (): SyncProgress | undefined => {
    const now = this.status()
    return now && this.meter.at(now.currentBlock, now.highestBlock)
  }

  private readonly onImported = (blocks: readonly Block[]): void => {
    this.meter.add(
      blocks.length,
      blocks.reduce((sum, { header }) => sum + Number(header.gasUsed), 0),
    )
    this.catchUp.onImported(blocks.length)
    this.update()
    if (this.parts.clock.now() - this.reported < reportEvery) return
    this.reported = this.parts.clock.now()
    const now = this.progress()
    if (!now) return
    this.parts.log.info(
      {
        number: Number(now.current),
        of: Number(now.highest),
        blocksPerSecond: Math.round(now.blocksPerSecond),
        mgasPerSecond: Math.round(now.gasPerSecond / 10_000) / 100,
        secondsLeft: now.left === undefined ? undefined : Math.round(now.left),
        peers: this.parts.peers.all().length,
      },
      'syncing',
    )
  }

  private readonly host: SnapHost = {
    target: () => this.target(),
    onFailure: (error, peer) => this.onFailure(error, peer),
  }

  private async follow(peer: PlacedPeer): Promise<void> {
    const goal = peer.head
    if (this.parts.snap?.wants(goal.number)) {
      await this.parts.snap.join(peer, this.host)
      this.parts.onFollowed()
      return
    }
    this.catchUp.onStarted()
    const ancestor = await findAncestor(peer, this.parts.chain, this.parts.chain.head())
    const from = { number: ancestor.header.number, hash: ancestor.hash }
    const gate = createByteGate(maxBytesAhead, from.number + 1n, segmentLength)
    const isFar = goal.number - from.number >= threadFrom
    const importer = isFar && this.parts.openImporter ? await this.parts.openImporter() : importHere(this.parts.chain)
    const slots = createPeerSlots(this.parts.peers)
    try {
      const blocks = downloadBlocks(peer, from, goal.number, { slots, gate })
      const options = { target: peer, isStopped: () => this.stopped, onImported: this.onImported }
      await importDownloaded(
        blocks,
        { chain: this.parts.chain, importer, recover: this.parts.recover, knownSender: this.parts.knownSender, gate },
        options,
      )
    } finally {
      slots.close()
      await importer.end()
    }
    this.followed.set(peer, goal.number)
    this.parts.onFollowed()
    // It claimed blocks that it does not have; anyone who goes on like that is disconnected.
    if (goal.number > this.localHead().number + tolerance) peer.useless()
    if (goal.totalDifficulty > this.localHead().totalDifficulty && peer.head === goal)
      throw new SyncError({
        code: 'PEER_AT_FAULT',
        peer,
        parting: 'uselessPeer',
        reason: 'its chain has less total difficulty than it announced',
      })
  }

  private noteObstacle(error: unknown, peer: EthPeer): void {
    if (!(error instanceof SyncError) || !('block' in error.at) || error.at.block === undefined) return
    const { block, code } = error.at
    const isBranch = code === 'BRANCH_TOO_DEEP'
    // The chain may have come to it by another way meanwhile.
    if (block <= this.localHead().number && !isBranch) return
    this.obstacles.onFailure({ block, highest: peer.head.number ?? block, reason: error.message, isBranch })
  }

  private async onFailure(error: unknown, peer: EthPeer): Promise<void> {
    this.noteObstacle(error, peer)
    if (error instanceof SyncError && error.at.code === 'PEER_AT_FAULT') {
      const { peer: culprit, parting, reason } = error.at
      this.parts.log.warn({ peer: culprit.info.remote, client: culprit.info.clientId, reason }, 'disconnecting peer')
      this.parts.peers.remove(culprit)
      culprit.disconnect(parting)
      return
    }
    if (error instanceof SyncError || error instanceof EthError)
      this.parts.log.debug(
        { peer: peer.info.remote, client: peer.info.clientId, error: String(error) },
        'sync interrupted',
      )
    else this.parts.log.error({ error: String(error) }, 'sync failed')
    const isTooDeep = error instanceof SyncError && error.at.code === 'BRANCH_TOO_DEEP'
    await this.pause(isTooDeep ? pauseAtBranch : pauseAfterFailure)
  }

  private pause(milliseconds: number) {
    return new Promise<void>((done) => {
      const cancel = this.parts.clock.after(milliseconds, done)
      this.cancelPause = () => {
        cancel()
        done()
      }
    })
  }

  private async run(): Promise<void> {
    for (let peer = this.target(); peer && !this.stopped; peer = this.target()) {
      this.update()
      try {
        await this.follow(peer)
      } catch (error) {
        if (this.stopped) return
        await this.onFailure(error, peer)
      }
    }
    this.update()
  }

  readonly look = (): void => {
    if (this.stopped) return
    this.running ??= this.run()
      .catch((error) => this.parts.log.error({ error: String(error) }, 'sync failed'))
      .finally(() => {
        this.running = undefined
      })
  }

  private readonly again = (): void => {
    this.cancelLook = this.parts.clock.after(lookEvery, this.again)
    this.look()
  }

  readonly isInSync: Sync['isInSync'] = () => this.status() === undefined

  readonly isCatchingUp: Sync['isCatchingUp'] = () =>
    this.parts.snap?.progress() !== undefined || (this.catchUp.isLikely() && this.status() !== undefined)

  readonly standing: Sync['standing'] = () => {
    const here = this.localHead()
    const heads = this.parts.peers.all().map(({ head }) => head)
    const isBehind = ({ number = 0n, totalDifficulty }: EthPeer['head']) =>
      totalDifficulty > here.totalDifficulty || number > here.number
    if (heads.some(isBehind)) return 'behind'
    return heads.some(({ number }) => number !== undefined) ? 'level' : 'alone'
  }

  readonly onStatus: Sync['onStatus'] = (listener) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly stop: Sync['stop'] = async () => {
    this.stopped = true
    this.parts.snap?.stop()
    for (const end of this.ends) end()
    this.catchUp.stop()
    this.cancelLook()
    this.cancelPause?.()
    await this.running
  }
}

/**
 * Full synchronisation: chooses the peer with the best chain, finds where it leaves ours, downloads and imports. One attempt at a time, since
 * two would fetch the same blocks; an attempt that fails is not repeated at once, as its peer may be the reason. New blocks near the head
 * do not come here but through `blockPropagation.ts`.
 */
export function createSync(parts: SyncParts): Sync {
  return new ChainSync(parts)
}
