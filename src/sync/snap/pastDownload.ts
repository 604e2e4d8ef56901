import type { Chain } from '../../chain/chain.ts'
import type { Past } from '../../chain/takeOver/past.ts'
import type { PastBlock } from '../../chain/takeOver/pastBlocks.ts'
import type { HashedHeader } from '../../chain/view.ts'
import type { HeaderTrust, OpenBlock } from '../../consensus/headerTrust.ts'
import type { EthPeers } from '../../net/eth/ethPeers.ts'
import type { RecoverPool } from '../../recovery/recoverPool.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { SyncError } from '../fault.ts'
import { createPeerSlots, type PeerSlots } from '../peerSlots.ts'
import { findBadSeals } from './checkSeals.ts'
import { askPeers, fetchContents } from './pastContents.ts'

export interface PastDownloadParts {
  readonly chain: Pick<Chain, 'read' | 'importPast'>
  readonly trust: Pick<HeaderTrust, 'sealsOf'>
  readonly peers: EthPeers
  readonly recover: RecoverPool
  readonly clock: Clock
  readonly log: Logger
  /** Whether all blocks are wanted, whatever was wanted when the state was taken over. */
  readonly wantsAll: boolean
  /** Called when all that is wanted is there. */
  onDone(): void
}

/** Downloads blocks before the head that are missing, highest first, and checks the seals that were not checked. */
export interface PastDownload {
  /** Looks for something to do, unless it is under way already. */
  look(): void
  stop(): Promise<void>
}

/** Blocks that are written in one transaction; where only seals are checked they take less time. */
const blocksPerPart = { whole: 32, bare: 256 }
/** Parts that are fetched at a time. */
const partsAhead = 4
/** Milliseconds before peers are asked again that did not have what was asked for. */
const pauseAfterFailure = 5000
const reportEvery = 30_000

/** Blocks that follow each other and are fetched together. */
interface Part {
  readonly from: number
  /** Included. */
  readonly to: number
  /** Whether bodies and receipts are wanted. */
  readonly isWhole: boolean
  /** The seals of blocks below this one are to be checked. */
  readonly sealed: number
  /** What there is once the part is there. */
  readonly after: Pick<Past, 'first' | 'sealed'>
}

/** The part to fetch where this is there already; undefined if that is all. */
function partAfter({ first, wanted, sealed }: Omit<Past, 'perMinute'>): Part | undefined {
  if (first > wanted) {
    const from = Math.max(wanted, first - blocksPerPart.whole)
    return { from, to: first - 1, isWhole: true, sealed, after: { first: from, sealed: Math.min(sealed, from) } }
  }
  if (sealed <= 1) return undefined
  const from = Math.max(1, sealed - blocksPerPart.bare)
  return { from, to: sealed - 1, isWhole: false, sealed, after: { first, sealed: from } }
}

/** One download at a time, part by part; it never holds up the chain for longer than one part takes to write. */
class BackwardDownload implements PastDownload {
  private readonly parts: PastDownloadParts
  private running: Promise<void> | undefined
  private isStopped = false
  private slots: PeerSlots | undefined
  private cancelPause: (() => void) | undefined
  private began: { readonly at: number; readonly first: number } | undefined
  private reported = 0

  constructor(parts: PastDownloadParts) {
    this.parts = parts
  }

  readonly look: PastDownload['look'] = () => {
    if (this.isStopped) return
    this.running ??= this.run().finally(() => {
      this.running = undefined
    })
  }

  private past(): Past | undefined {
    return this.parts.chain.read((view) => view.past)
  }

  private async run(): Promise<void> {
    const { log, clock, onDone } = this.parts
    let past = this.past()
    if (past && past.wanted > 1 && this.parts.wantsAll) {
      past = { ...past, wanted: 1 }
      this.parts.chain.importPast([], past)
    }
    if (!past || !partAfter(past)) return
    this.began = { at: clock.now(), first: past.first }
    while (past && partAfter(past) && !this.isStopped) {
      try {
        await this.fetchFrom(past)
      } catch (error) {
        if (this.isStopped) return
        if (error instanceof SyncError) log.debug({ error: error.message }, 'earlier blocks did not come')
        else log.error({ error: String(error) }, 'earlier blocks could not be written')
        await this.pause(pauseAfterFailure)
      }
      past = this.past()
    }
    if (this.isStopped) return
    log.info({ first: past?.first ?? 0 }, 'earlier blocks are there, from #{first} on')
    onDone()
  }

  /** Fetches parts side by side, and writes them in order. */
  private async fetchFrom(past: Past): Promise<void> {
    const slots = createPeerSlots(this.parts.peers)
    this.slots = slots
    let { first } = past
    const window: { readonly part: Part; readonly blocks: Promise<readonly PastBlock[]> }[] = []
    try {
      let next = partAfter(past)
      while (next || window.length > 0) {
        for (; next && window.length < partsAhead; next = partAfter({ ...past, ...next.after })) {
          const blocks = this.fetch(next, slots)
          // A failure is thrown when the part is awaited.
          blocks.catch(() => {})
          window.push({ part: next, blocks })
        }
        const { part, blocks } = window.shift()!
        const fetched = await blocks
        const now = this.past()
        // Old blocks were removed meanwhile: there is another past to go on from.
        if (now?.first !== first || now.wanted !== past.wanted) return
        await this.write(part, fetched, past)
        first = part.after.first
        if (this.isStopped) return
      }
    } finally {
      slots.close()
    }
  }

  private async fetch(part: Part, slots: PeerSlots): Promise<readonly PastBlock[]> {
    const { chain, trust, recover } = this.parts
    const { headers, open } = chain.read((view) => {
      const headers: HashedHeader[] = []
      for (let number = part.from; number <= part.to; number++) headers.push(view.headerAt(BigInt(number))!)
      const unchecked = headers.filter(({ header }) => header.number < part.sealed)
      return { headers, open: unchecked.flatMap((block) => trust.sealsOf(block, view) ?? []) }
    })
    const resealed = new Map<string, HashedHeader>()
    for (const bad of await findBadSeals(open, recover)) {
      const good = await this.fetchSealed(bad, slots)
      resealed.set(String(good.header.number), good)
    }
    const contents = part.isWhole ? await fetchContents(headers, { slots, recover }) : []
    return headers.flatMap((hashed, i): PastBlock[] => {
      const better = resealed.get(String(hashed.header.number))
      const content = contents[i]
      return better || content ? [{ hashed: better ?? hashed, isResealed: better !== undefined, content }] : []
    })
  }

  /** The same header with seals that make it valid. */
  private fetchSealed(bad: OpenBlock, slots: PeerSlots): Promise<HashedHeader> {
    const { chain, trust, recover, log } = this.parts
    const { header, hash } = bad.block
    log.debug({ number: Number(header.number) }, 'the seals of header #{number} were altered; others are asked for it')
    return askPeers(slots, header.number, async (peer) => {
      const [found] = await peer.headers({ start: hash, count: 1, skip: 0, reverse: false })
      const open = found && chain.read((view) => trust.sealsOf(found, view))
      if (open && (await findBadSeals([open], recover)).length === 0) return found
      if (found) peer.useless()
      return undefined
    })
  }

  private async write(part: Part, blocks: readonly PastBlock[], { wanted }: Past): Promise<void> {
    const { chain, clock } = this.parts
    const { at, first } = this.began!
    const minutes = (clock.now() - at) / 60_000
    const perMinute = part.isWhole && minutes > 0 ? Math.round((first - part.from) / minutes) : 0
    const before = clock.now()
    chain.importPast(blocks, { ...part.after, wanted, perMinute })
    this.report(part, wanted, perMinute)
    // The thread of the chain rests as long as it has worked: blocks and users go before.
    await this.pause(clock.now() - before)
  }

  private report({ after, isWhole }: Part, wanted: number, perMinute: number): void {
    const { clock, log } = this.parts
    if (clock.now() - this.reported < reportEvery) return
    this.reported = clock.now()
    if (isWhole)
      log.info({ first: after.first, wanted, perMinute }, 'downloading earlier blocks: #{first}, down to #{wanted}')
    else log.info({ number: after.sealed }, 'checking the seals of earlier headers: #{number}')
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((done) => {
      const cancel = this.parts.clock.after(milliseconds, done)
      this.cancelPause = () => {
        cancel()
        done()
      }
    })
  }

  readonly stop: PastDownload['stop'] = async () => {
    this.isStopped = true
    this.slots?.close()
    this.cancelPause?.()
    await this.running
  }
}

export function createPastDownload(parts: PastDownloadParts): PastDownload {
  return new BackwardDownload(parts)
}
