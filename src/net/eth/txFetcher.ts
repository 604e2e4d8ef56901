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

/** Receives transactions from peers, and requests announced ones. */
export function createTxFetcher({ chain, pool, intake, peers, clock, log, now }: TxFetcherParts) {
  const intents = new Map<EthPeer, Intent>()
  const asked = new Set<string>()
  const refused = createRecentSet(refusedKept)
  const undecided = new Set<string>()
  const turns = createTurns(now, maxPerTurn)
  let mined = createRecentSet(minedKept)

  function intentOf(peer: EthPeer): Intent {
    let intent = intents.get(peer)
    if (!intent) intents.set(peer, (intent = { offers: new Map(), undecided: 0, bytes: 0, cancel: undefined }))
    return intent
  }

  const isWanted = (key: string) => !pool.has(key) && !undecided.has(key) && !mined.has(key) && !refused.has(key)

  const isBusy = ({ undecided, bytes }: Intent) => undecided >= maxUndecided.count || bytes >= maxUndecided.bytes

  /** Passes a wanted transaction on to the pool. */
  function submit(peer: EthPeer, intent: Intent, candidate: NetworkTx): void {
    const key = txKey(candidate.tx)
    const size = sizeOf(candidate.tx, candidate.sidecar)
    intent.undecided++
    intent.bytes += size
    undecided.add(key)
    const settle = () => {
      intent.undecided--
      intent.bytes -= size
      undecided.delete(key)
    }
    intake.offer(
      candidate,
      (fault) => {
        settle()
        if (fault) refused.add(key)
        if (fault?.code === 'TX_TOO_LARGE') peer.useless()
      },
      (error) => {
        settle()
        log.error({ error: String(error) }, 'transaction validation failed')
      },
    )
  }

  function take(peer: EthPeer, candidate: NetworkTx): void {
    const key = txKey(candidate.tx)
    peer.knownTxs.add(key)
    const intent = intentOf(peer)
    if (isWanted(key) && !isBusy(intent)) submit(peer, intent, candidate)
  }

  function schedule(peer: EthPeer, intent: Intent): void {
    if (intent.offers.size > 0) intent.cancel ??= clock.after(gatherTime, () => void ask(peer, intent))
  }

  async function ask(peer: EthPeer, intent: Intent): Promise<void> {
    intent.cancel = undefined
    const claims = new Map<string, TxClaim | undefined>()
    let bytes = 0
    for (const [key, claim] of intent.offers) {
      if (claims.size === hashesPerRequest || bytes >= bytesPerRequest) break
      // Requested from another peer: stays queued until that one has answered.
      if (asked.has(key)) continue
      intent.offers.delete(key)
      if (!isWanted(key)) continue
      claims.set(key, claim)
      bytes += claim?.size ?? 0
    }
    schedule(peer, intent)
    if (claims.size === 0) return
    const keys = [...claims.keys()]
    for (const key of keys) asked.add(key)
    try {
      const found = await peer.pooledTransactions(keys.map((key) => bytesOfKey(key) as Hash32))
      if (!found.every((candidate) => isAsAnnounced(candidate, claims))) {
        log.debug({ peer: peer.info.remote }, 'a transaction is not what was announced')
        peer.disconnect('uselessPeer')
        return
      }
      if (found.length === 0) peer.useless()
      for (const candidate of found)
        if (claims.has(txKey(candidate.tx))) take(peer, candidate)
        else peer.useless()
    } catch {
      // The request failed: other peers that announced these are asked next.
    } finally {
      for (const key of keys) asked.delete(key)
    }
  }

  function read(peer: EthPeer, intent: Intent, payload: Uint8Array): void {
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
      if (isWanted(key)) submit(peer, intent, txFromPart(part, hash))
    }
  }

  /** What a message that was read later has come to, as if it had been read at once. */
  function blame(peer: EthPeer, error: unknown): void {
    if (!(error instanceof Fault)) log.error({ error: String(error) }, 'transactions of a peer could not be read')
    peer.disconnect('breachOfProtocol')
  }

  const ends = [
    peers.onGone((peer) => {
      intents.get(peer)?.cancel?.()
      intents.delete(peer)
    }),
    chain.onHead(({ added, removed }) => {
      if (removed.length > 0) mined = createRecentSet(minedKept)
      for (const { block } of added) for (const tx of block.transactions) mined.add(txKey(tx))
    }),
  ]

  return {
    onTransactions(peer: EthPeer, payload: Uint8Array): void {
      const intent = intentOf(peer)
      if (isBusy(intent)) return
      if (!turns.isOver()) {
        turns.run(() => read(peer, intent, payload))
        return
      }
      // The message's buffer is reused.
      const own = payload.slice()
      intent.bytes += own.length
      turns
        .run(() => {
          intent.bytes -= own.length
          read(peer, intent, own)
        })
        ?.catch((error: unknown) => blame(peer, error))
    },
    onAnnouncement(peer: EthPeer, payload: Uint8Array): void {
      const intent = intentOf(peer)
      for (const { hash, claim } of decodeAnnouncement(peer.version, payload)) {
        const key = keyOf(hash)
        peer.knownTxs.add(key)
        if (intent.offers.has(key) || (claim && claim.size > maxSizeOf(claim.type))) continue
        if (intent.offers.size < maxGathered && isWanted(key)) intent.offers.set(key, claim)
      }
      schedule(peer, intent)
    },
    stop(): void {
      for (const end of ends) end()
      for (const { cancel } of intents.values()) cancel?.()
    },
  }
}

function isAsAnnounced(candidate: NetworkTx, claims: ReadonlyMap<string, TxClaim | undefined>): boolean {
  const claim = claims.get(txKey(candidate.tx))
  return claim === undefined || fitsClaim(candidate, claim)
}
