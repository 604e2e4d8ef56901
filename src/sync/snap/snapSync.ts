import type { Chain } from '../../chain/chain.ts'
import type { HeaderTrust } from '../../consensus/headerTrust.ts'
import { BlockError } from '../../execution/fault.ts'
import type { EthPeers } from '../../net/eth/ethPeers.ts'
import type { SnapClient } from '../../net/snap/snapProtocol.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import type { StateDraft } from '../../state/stateDraft.ts'
import type { Transaction } from '../../store/table.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { PlacedPeer } from '../chooseTarget.ts'
import { atFault, SyncError } from '../fault.ts'
import { followHeaders } from './followHeaders.ts'
import { createSnapDownload, type SnapDownload } from './snapDownload.ts'
import { SnapLinks } from './snapLinks.ts'

/** Where the state is put that peers send. */
export interface SnapState {
  /** The state that is being downloaded; empty if none was begun. */
  open(): StateDraft
  /** How much of the key space has come, between 0 and 1. */
  share(): number | undefined
  /** Puts it, complete, in place of the chain's state. */
  adopt(txn: Transaction, block: number, root: Hash32): void
}

export interface SnapSettings {
  /** How far below the heads of peers the block is whose state is taken over. */
  readonly depth: bigint
  /** Blocks before it whose bodies and receipts are wanted, too; may be Infinity. */
  readonly pastBlocks: number
  readonly state: SnapState
}

export interface SnapSyncParts extends SnapSettings {
  readonly trust: HeaderTrust
  readonly chain: Pick<Chain, 'head' | 'read' | 'lastHeader' | 'importHeaders' | 'adoptState'>
  readonly peers: EthPeers
  readonly clock: Clock
  readonly log: Logger
}

/** How far a node has come that takes over a state. */
export interface SnapProgress {
  readonly stage: 'headers' | 'state'
  /** The last block whose header is there. */
  readonly header: bigint
  /** How much of the state has come, between 0 and 1; it may have to be healed afterwards. */
  readonly share: number
}

/** What a download of a state needs from who follows chains. */
export interface SnapHost {
  /** The peer with the best chain now. */
  target(): PlacedPeer | undefined
  /** Disconnects who is at fault, and waits a moment otherwise. */
  onFailure(error: unknown, peer: PlacedPeer): Promise<void>
}

/** Joins a chain by the state of a recent block. */
export interface SnapSync {
  /** To be given the connections to peers that offer snap. */
  readonly client: SnapClient
  /** Whether a chain of this height is to be joined so: nothing was run here yet, and much would have to be. */
  wants(height: bigint): boolean
  /** Makes a recent block of the peer's chain the head, with its state. */
  join(target: PlacedPeer, host: SnapHost): Promise<void>
  /** Undefined unless a state is being taken over, or that was interrupted. */
  progress(): SnapProgress | undefined
  stop(): void
}

/** Fewer blocks are run sooner. */
const fewBlocks = 128n
/** Milliseconds between two looks for a later block, after all peers have forgotten the state. */
const lookEvery = 3000
const reportEvery = 8000
/** Milliseconds after which it is said that no peer serves the state. */
const patience = 20_000

/** One attempt goes on until the state is there; whoever the peers are meanwhile, and whichever block it is of in the end. */
class StateJoining implements SnapSync {
  private readonly parts: SnapSyncParts
  private readonly links = new SnapLinks()
  readonly client: SnapClient = this.links
  private stage: SnapProgress['stage'] | undefined
  private isStopped = false
  private download: SnapDownload | undefined
  private giveUp: ((error: Error) => void) | undefined
  private cancelPause: (() => void) | undefined
  private reported = 0
  private cancelReport: (() => void) | undefined

  constructor(parts: SnapSyncParts) {
    this.parts = parts
  }

  readonly wants: SnapSync['wants'] = (height) =>
    this.parts.chain.head().header.number === 0n && (height >= this.parts.depth + fewBlocks || this.isBegun())

  /** Whether headers are ahead of the head. */
  private isBegun(): boolean {
    const { chain } = this.parts
    return chain.lastHeader().header.number > chain.head().header.number
  }

  readonly progress: SnapSync['progress'] = () => {
    if (!this.stage && !this.isBegun()) return undefined
    const { chain, state } = this.parts
    return {
      stage: this.stage ?? 'headers',
      header: chain.lastHeader().header.number,
      share: state.share() ?? 0,
    }
  }

  readonly join: SnapSync['join'] = async (target, host) => {
    const { chain, state, pastBlocks, log } = this.parts
    this.stage = 'headers'
    try {
      await this.followTo(target)
      this.stage = 'state'
      const pivot = chain.lastHeader()
      log.info({ number: Number(pivot.header.number) }, 'downloading the state of block #{number}')
      this.report()
      await this.downloadState(host)
      const { header } = chain.lastHeader()
      const number = Number(header.number)
      chain.adoptState((txn) => state.adopt(txn, number, header.stateRoot), pastBlocks)
      log.info({ number }, 'the state of block #{number} is there; blocks after it are executed from now on')
    } finally {
      this.stage = undefined
      this.cancelReport?.()
      this.links.release()
      this.download?.stop()
      this.download = undefined
    }
  }

  /** Brings the headers to a block whose state can be taken over. */
  private async followTo(target: PlacedPeer): Promise<void> {
    const { chain, trust, depth } = this.parts
    const height = target.head.number - depth
    const onHeaders = () => {
      if (this.parts.clock.now() - this.reported < reportEvery) return
      this.reported = this.parts.clock.now()
      const number = Number(chain.lastHeader().header.number)
      this.parts.log.info({ number, of: Number(height) }, 'downloading headers: #{number} of {of}')
    }
    await followHeaders(target, height, { ...this.parts, isStopped: () => this.isStopped, onHeaders })
    const last = chain.lastHeader()
    if (last.header.number < height)
      throw atFault(target, 'uselessPeer', 'it does not send the headers of the chain that it announced')
    try {
      chain.read((view) => trust.checkPivot(last, view.parentOf(last.header)!, view))
    } catch (error) {
      if (!(error instanceof BlockError)) throw error
      const reason = `the state of block ${last.header.number} is not to be believed: ${error.message}`
      throw atFault(target, 'uselessPeer', reason, error)
    }
  }

  private downloadState(host: SnapHost): Promise<void> {
    const { chain, state, clock, log } = this.parts
    return new Promise((resolve, reject) => {
      this.giveUp = reject
      const { stateRoot: root } = chain.lastHeader().header
      const onStale = () => void this.moveOn(host).catch(reject)
      this.download = createSnapDownload({ draft: state.open(), root, clock, log, onStale, onDone: resolve })
      this.links.use(this.download)
    })
  }

  /** Goes on with the state of a later block, as soon as there is one. */
  private async moveOn(host: SnapHost): Promise<void> {
    const { chain, depth, log } = this.parts
    const before = chain.lastHeader().header
    for (;;) {
      const target = host.target()
      if (target && target.head.number - depth > before.number) {
        try {
          await this.followTo(target)
          break
        } catch (error) {
          if (this.isStopped) throw error
          await host.onFailure(error, target)
        }
      } else await this.pause()
      if (this.isStopped) throw new SyncError({ code: 'STOPPED' })
    }
    const { number, stateRoot } = chain.lastHeader().header
    log.info(
      { before: Number(before.number), number: Number(number) },
      'no peer has the state of block #{before} any more; going on with that of #{number}',
    )
    this.download!.restart(stateRoot)
  }

  private pause(): Promise<void> {
    return new Promise((done) => {
      const cancel = this.parts.clock.after(lookEvery, done)
      this.cancelPause = () => {
        cancel()
        done()
      }
    })
  }

  /** Says how far the state has come, again and again. */
  private readonly report = (): void => {
    const { clock, log, state } = this.parts
    this.cancelReport = clock.after(reportEvery, this.report)
    const share = state.share() ?? 0
    const peers = this.links.count()
    if (peers === 0 && clock.now() - this.reported > patience) {
      this.reported = clock.now()
      log.warn(
        {},
        'no peer serves its state (snap/1): a Quoin node does with --snapsync-server-enabled; without one, start with --sync-mode=FULL',
      )
    } else if (share < 1) log.info({ percent: Math.floor(100 * share), peers }, 'downloading the state: {percent} %')
    else log.info({ peers }, 'healing the state')
  }

  readonly stop: SnapSync['stop'] = () => {
    this.isStopped = true
    this.cancelPause?.()
    this.giveUp?.(new SyncError({ code: 'STOPPED' }))
  }
}

export function createSnapSync(parts: SnapSyncParts): SnapSync {
  return new StateJoining(parts)
}
