import type { PoolEntry } from '../../pool/entry.ts'
import type { Pool } from '../../pool/pool.ts'
import { encodeRlpList } from '../../primitives/rlp.ts'
import type { Clock } from '../../system/clock.ts'
import { encodeNetworkTx } from '../../types/blobSidecar.ts'
import { txKey } from '../../types/encodeTx.ts'
import type { EthPeer } from './ethPeer.ts'
import type { EthPeers } from './ethPeers.ts'
import { type AnnouncedTx, encodeAnnouncement } from './txAnnouncement.ts'
import { txToPart } from './wireTx.ts'

export interface TxBroadcasterParts {
  readonly pool: Pick<Pool, 'pending' | 'subscribe'>
  readonly peers: EthPeers
  readonly clock: Clock
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  random(): number
}

/** Approximate bytes of transactions per message, small so that validators' messages are not delayed. */
const messageBytes = 1 << 17
const hashesPerMessage = 4096
/** Peers with more unsent bytes than this get no transactions: what validators say would have to wait behind them. */
const fullBacklog = 1 << 20
/**
 * A transaction above this is sent whole only while there are few such: further ones are announced, so that each node gets them once,
 * and when it asks for them.
 */
const smallBytes = 4096
const largeBytesPerSecond = 512 << 10
/** Milliseconds after which it is looked whether they have read it. */
const lookEvery = 1000

const isFull = (peer: EthPeer) => peer.backlog() > fullBacklog

function announce(peer: EthPeer, entries: readonly PoolEntry[]): void {
  for (let at = 0; at < entries.length; at += hashesPerMessage) {
    const some = entries.slice(at, at + hashesPerMessage)
    peer.send('newPooledTransactionHashes', encodeAnnouncement(peer.version, some.map(announced)))
    for (const { tx } of some) peer.knownTxs.add(txKey(tx))
  }
}

function sendWhole(peer: EthPeer, entries: readonly PoolEntry[], messages: readonly Uint8Array[]): void {
  for (const message of messages) peer.send('transactions', message)
  for (const { tx } of entries) peer.knownTxs.add(txKey(tx))
}

/** What each peer knows already, and what it is sent next. */
class TxSender {
  private readonly parts: TxBroadcasterParts
  private fresh: PoolEntry[] = []
  private cancel: (() => void) | undefined
  /** Peers that have missed transactions: they did not read what they were sent before. */
  private readonly behind = new Set<EthPeer>()
  private cancelLook: (() => void) | undefined
  /** Since when large transactions were sent whole, and their bytes. */
  private largeSince = Number.NEGATIVE_INFINITY
  private largeBytes = 0
  private readonly ends: readonly (() => void)[]

  constructor(parts: TxBroadcasterParts) {
    this.parts = parts
    this.ends = [
      parts.pool.subscribe((event) => {
        if (event.type !== 'added' || parts.peers.all().length === 0) return
        this.fresh.push(event.entry)
        this.cancel ??= parts.clock.after(0, this.broadcast)
      }),
      parts.peers.onReady(this.announcePending),
      parts.peers.onGone((peer) => void this.behind.delete(peer)),
    ]
  }

  /** Large transactions, above all those with blobs, are only announced: so that nobody gets them twice. */
  private readonly isSentWhole = ({ tx, size }: PoolEntry): boolean => {
    if (tx.type === 3 || size > messageBytes) return false
    if (size <= smallBytes) return true
    if (this.parts.clock.now() - this.largeSince >= 1000) {
      this.largeSince = this.parts.clock.now()
      this.largeBytes = 0
    }
    if (this.largeBytes + size > largeBytesPerSecond) return false
    this.largeBytes += size
    return true
  }

  private unknownTo(peer: EthPeer, entries: readonly PoolEntry[]): readonly PoolEntry[] {
    if (!isFull(peer)) return entries.filter(({ tx }) => !peer.knownTxs.has(txKey(tx)))
    this.behind.add(peer)
    this.cancelLook ??= this.parts.clock.after(lookEvery, this.look)
    return []
  }

  private readonly announcePending = (peer: EthPeer): void => {
    announce(peer, this.unknownTo(peer, [...this.parts.pool.pending()].filter(isShareable)))
  }

  /** Tells peers that read again of what they have missed. */
  private readonly look = (): void => {
    this.cancelLook = this.behind.size > 0 ? this.parts.clock.after(lookEvery, this.look) : undefined
    for (const peer of this.behind) {
      if (isFull(peer)) continue
      this.behind.delete(peer)
      this.announcePending(peer)
    }
  }

  private readonly broadcast = (): void => {
    this.cancel = undefined
    const entries = this.fresh.filter(isShareable)
    this.fresh = []
    const sentWhole = new Set(entries.filter(this.isSentWhole))
    const receivers = shuffled(this.parts.peers.all(), this.parts.random)
    const whole = Math.ceil(Math.sqrt(receivers.length))
    // Those of our users are new to all peers, who then get the very same messages.
    let messages: readonly Uint8Array[] | undefined
    for (const [i, peer] of receivers.entries()) {
      const wanted = this.unknownTo(peer, entries)
      if (i >= whole) {
        announce(peer, wanted)
        continue
      }
      const direct = wanted.filter((entry) => sentWhole.has(entry))
      const isAll = wanted.length === entries.length
      sendWhole(peer, direct, isAll ? (messages ??= messagesOf(direct)) : messagesOf(direct))
      if (direct.length < wanted.length)
        announce(
          peer,
          wanted.filter((entry) => !sentWhole.has(entry)),
        )
    }
  }

  readonly stop = (): void => {
    for (const end of this.ends) end()
    this.cancel?.()
    this.cancelLook?.()
  }
}

/** Broadcasts new transactions: in full to the square root of the peers, as hashes to the others. */
export function createTxBroadcaster(parts: TxBroadcasterParts) {
  return new TxSender(parts)
}

/** Blob transactions that came back from a removed block have no blobs and cannot be sent. */
function isShareable({ tx, sidecar }: PoolEntry): boolean {
  return tx.type !== 3 || sidecar !== undefined
}

/** Encodes transactions as messages of limited length. */
function messagesOf(entries: readonly PoolEntry[]): Uint8Array[] {
  const messages: Uint8Array[] = []
  let parts: Uint8Array[] = []
  let bytes = 0
  for (const { tx } of entries) {
    const part = txToPart(tx, undefined)
    if (parts.length > 0 && bytes + part.length > messageBytes) {
      messages.push(encodeRlpList(parts))
      parts = []
      bytes = 0
    }
    parts.push(part)
    bytes += part.length
  }
  if (parts.length > 0) messages.push(encodeRlpList(parts))
  return messages
}

const announcements = new WeakMap<PoolEntry, AnnouncedTx>()

/** The announcement of a transaction; its size is computed once for all peers. */
function announced(entry: PoolEntry): AnnouncedTx {
  let known = announcements.get(entry)
  if (!known) {
    const { hash, tx, sidecar } = entry
    known = { hash, type: tx.type, size: encodeNetworkTx(tx, sidecar).length }
    announcements.set(entry, known)
  }
  return known
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const list = [...items]
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[list[i], list[j]] = [list[j]!, list[i]!]
  }
  return list
}
