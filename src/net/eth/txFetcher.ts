import type { Chain } from '../../chain/chain.ts'
import type { Amount } from '../../pool/amount.ts'
import { sizeOf } from '../../pool/entry.ts'
import type { Intake } from '../../pool/intake.ts'
import type { PoolViews } from '../../pool/views.ts'
import { bytesOfKey, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { Fault } from '../../primitives/fault.ts'
import { createRecentSet } from '../../primitives/recentSet.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { createTurns } from '../../system/turns.ts'
import type { NetworkTx } from '../../types/blobSidecar.ts'
import { txKey } from '../../types/encodeTx.ts'
import { maxSizeOf } from '../../types/txSize.ts'
import type { EthPeer } from './ethPeer.ts'
import type { EthPeers } from './ethPeers.ts'
import { rlpParts } from './rlpParts.ts'
import { decodeAnnouncement, fitsClaim, type TxClaim } from './txAnnouncement.ts'
import { isTooLarge, txFromPart, txHashOfPart } from './wireTx.ts'

export interface TxFetcherParts {
  readonly chain: Pick<Chain, 'onHead'>
  readonly pool: Pick<PoolViews, 'has'>
  readonly intake: Pick<Intake, 'offer'>
  readonly peers: EthPeers
  readonly clock: Clock
  readonly log: Logger
  /** What measures a turn of the event loop: the time of this thread when left out. */
  readonly now?: (() => number) | undefined
}

/** Milliseconds for which a peer's announcements are collected before they are requested. */
const gatherTime = 500
const hashesPerRequest = 256
/** Announced bytes of a request after which the next goes out: what an answer leaves out is not asked for again. */
const bytesPerRequest = 1 << 20
/** Maximum announced hashes of a peer to request; further ones are dropped. */
const maxGathered = 4096
/** Maximum transactions of a peer that are being validated, and their bytes; further ones are dropped. */
const maxUndecided: Amount = { count: 4096, bytes: 16 << 20 }
/** Milliseconds of a turn of the event loop for reading transactions that were sent unasked: what validators say goes first. */
const maxPerTurn = 5
/** Hashes of rejected transactions remembered, which are not requested again. */
const refusedKept = 16_384
/** Hashes of mined transactions remembered, whose late copies are ignored. */
const minedKept = 32_768

interface Intent {
  /** Announced transactions that are not requested yet, by hash. */
  readonly offers: Map<string, TxClaim | undefined>
  undecided: number
  /** Of transactions that are being validated, and of messages that wait to be read. */
  bytes: number
  cancel: (() => void) | undefined
}

const isBusy = ({ undecided, bytes }: Intent) => undecided >= maxUndecided.count || bytes >= maxUndecided.bytes

/** Transactions that peers have announced and nobody has sent: who has them, who was asked, and when to ask the next. */
class AnnouncedTxs {
  private readonly parts: TxFetcherParts
  private readonly intents = new Map<EthPeer, Intent>()
  private readonly asked = new Set<string>()
  private readonly refused = createRecentSet(refusedKept)
  private readonly undecided = new Set<string>()
  private readonly turns: ReturnType<typeof createTurns>
  private mined = createRecentSet(minedKept)
  private readonly ends: readonly (() => void)[]

  constructor(parts: TxFetcherParts) {
    this.parts = parts
    this.turns = createTurns(parts.now, maxPerTurn)
    this.ends = [
      parts.peers.onGone((peer) => {
        this.intents.get(peer)?.cancel?.()
        this.intents.delete(peer)
      }),
      parts.chain.onHead(({ added, removed }) => {
        if (removed.length > 0) this.mined = createRecentSet(minedKept)
        for (const { block } of added) for (const tx of block.transactions) this.mined.add(txKey(tx))
      }),
    ]
  }

  private intentOf(peer: EthPeer): Intent {
    let intent = this.intents.get(peer)
    if (!intent) this.intents.set(peer, (intent = { offers: new Map(), undecided: 0, bytes: 0, cancel: undefined }))
    return intent
  }

  private isWanted(key: string) {
    return !this.parts.pool.has(key) && !this.undecided.has(key) && !this.mined.has(key) && !this.refused.has(key)
  }

  /** Passes a wanted transaction on to the pool. */
  private submit(peer: EthPeer, intent: Intent, candidate: NetworkTx): void {
    const key = txKey(candidate.tx)
    const size = sizeOf(candidate.tx, candidate.sidecar)
    intent.undecided++
    intent.bytes += size
    this.undecided.add(key)
    const settle = () => {
      intent.undecided--
      intent.bytes -= size
      this.undecided.delete(key)
    }
    this.parts.intake.offer(
      candidate,
      (fault) => {
        settle()
        if (fault) this.refused.add(key)
        if (fault?.code === 'TX_TOO_LARGE') peer.useless()
      },
      (error) => {
        settle()
        this.parts.log.error({ error: String(error) }, 'transaction validation failed')
      },
    )
  }

  private take(peer: EthPeer, candidate: NetworkTx): void {
    const key = txKey(candidate.tx)
    peer.knownTxs.add(key)
    const intent = this.intentOf(peer)
    if (this.isWanted(key) && !isBusy(intent)) this.submit(peer, intent, candidate)
  }

  private schedule(peer: EthPeer, intent: Intent): void {
    if (intent.offers.size > 0) intent.cancel ??= this.parts.clock.after(gatherTime, () => void this.ask(peer, intent))
  }

  private async ask(peer: EthPeer, intent: Intent): Promise<void> {
    intent.cancel = undefined
    const claims = new Map<string, TxClaim | undefined>()
    let bytes = 0
    for (const [key, claim] of intent.offers) {
      if (claims.size === hashesPerRequest || bytes >= bytesPerRequest) break
      // Requested from another peer: stays queued until that one has answered.
      if (this.asked.has(key)) continue
      intent.offers.delete(key)
      if (!this.isWanted(key)) continue
      claims.set(key, claim)
      bytes += claim?.size ?? 0
    }
    this.schedule(peer, intent)
    if (claims.size === 0) return
    const keys = [...claims.keys()]
    for (const key of keys) this.asked.add(key)
    try {
      const found = await peer.pooledTransactions(keys.map((key) => bytesOfKey(key) as Hash32))
      if (!found.every((candidate) => isAsAnnounced(candidate, claims))) {
        this.parts.log.debug({ peer: peer.info.remote }, 'a transaction is not what was announced')
        peer.disconnect('uselessPeer')
        return
      }
      if (found.length === 0) peer.useless()
      for (const candidate of found)
        if (claims.has(txKey(candidate.tx))) this.take(peer, candidate)
        else peer.useless()
    } catch {
      // The request failed: other peers that announced these are asked next.
    } finally {
      for (const key of keys) this.asked.delete(key)
    }
  }

  private read(peer: EthPeer, intent: Intent, payload: Uint8Array): void {
    for (const part of rlpParts(payload)) {
      if (isBusy(intent)) return
      if (isTooLarge(part)) {
        peer.useless()
        continue
      }
      // Most transactions arrive several times: only the first copy is decoded.
      const hash = txHashOfPart(part)
      const key = keyOf(hash)
      peer.knownTxs.add(key)
      if (this.isWanted(key)) this.submit(peer, intent, txFromPart(part, hash))
    }
  }

  /** What a message that was read later has come to, as if it had been read at once. */
  private blame(peer: EthPeer, error: unknown): void {
    if (!(error instanceof Fault))
      this.parts.log.error({ error: String(error) }, 'transactions of a peer could not be read')
    peer.disconnect('breachOfProtocol')
  }

  readonly onTransactions = (peer: EthPeer, payload: Uint8Array): void => {
    const intent = this.intentOf(peer)
    if (isBusy(intent)) return
    if (!this.turns.isOver()) {
      this.turns.run(() => this.read(peer, intent, payload))
      return
    }
    // The message's buffer is reused.
    const own = payload.slice()
    intent.bytes += own.length
    this.turns
      .run(() => {
        intent.bytes -= own.length
        this.read(peer, intent, own)
      })
      ?.catch((error: unknown) => this.blame(peer, error))
  }

  readonly onAnnouncement = (peer: EthPeer, payload: Uint8Array): void => {
    const intent = this.intentOf(peer)
    for (const { hash, claim } of decodeAnnouncement(peer.version, payload)) {
      const key = keyOf(hash)
      peer.knownTxs.add(key)
      if (intent.offers.has(key) || (claim && claim.size > maxSizeOf(claim.type))) continue
      if (intent.offers.size < maxGathered && this.isWanted(key)) intent.offers.set(key, claim)
    }
    this.schedule(peer, intent)
  }

  readonly stop = (): void => {
    for (const end of this.ends) end()
    for (const { cancel } of this.intents.values()) cancel?.()
  }
}

/** Receives transactions from peers, and requests announced ones. */
export function createTxFetcher(parts: TxFetcherParts) {
  return new AnnouncedTxs(parts)
}

function isAsAnnounced(candidate: NetworkTx, claims: ReadonlyMap<string, TxClaim | undefined>): boolean {
  const claim = claims.get(txKey(candidate.tx))
  return claim === undefined || fitsClaim(candidate, claim)
}
