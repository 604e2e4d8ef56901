import { upfrontCost } from '../execution/runTx.ts'
import { type Address, keyOf } from '../primitives/bytes.ts'
import { createRecentSet } from '../primitives/recentSet.ts'
import { txHash, txKey } from '../types/encodeTx.ts'
import { authorityOf, rememberSender, senderOf } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import {
  accountOf,
  findBalanceFault,
  findCodeFault,
  findHeadFault,
  findNonceFault,
  findPermissionFault,
  findPriceFault,
  findSidecarFault,
  findSizeFault,
} from './admission.ts'
import { createBestTransactions } from './bestTransactions.ts'
import { findBlobMistake } from './blobs.ts'
import { createContents } from './contents.ts'
import { type PoolEntry, sizeOf } from './entry.ts'
import type { DropReason, PoolFault } from './fault.ts'
import { findTxFault } from './findTxFault.ts'
import type { PoolOptions } from './options.ts'
import type { Origin, Pool, PoolEvent } from './pool.ts'
import type { PoolHead, PoolPorts } from './ports.ts'
import { mayReplace } from './replacement.ts'
import { entryAt, nextNonceOf, type SenderQueue } from './senderQueue.ts'
import { createViews } from './views.ts'

/** Number of local senders that are remembered, so that their transactions are local again after a reorg. */
const localSendersKept = 65_536

/** What new rules find wrong with a transaction, or with its blobs: it is offered to others with these. */
function findRulesFault({ tx, sidecar }: PoolEntry, head: PoolHead): PoolFault | undefined {
  const fault = findTxFault(tx, head.rules, head.chainId)
  if (fault || tx.type !== 3 || !sidecar) return fault
  const why = findBlobMistake(tx, sidecar, head.rules)
  return why && { code: 'INVALID_BLOBS', why }
}

/**
 * Accounts whose nonce or balance a block's transactions change. Payments by delegated code are not among them: a
 * transaction that they make invalid is dropped when a block is built.
 */
function* touchedBy(txs: readonly Tx[]): Iterable<Address> {
  for (const tx of txs) {
    const sender = senderOf(tx)
    if (sender) yield sender
    if (tx.type !== 4) continue
    for (const authorization of tx.authorizations) {
      const authority = authorityOf(authorization)
      if (authority) yield authority
    }
  }
}

/**
 * The transactions that wait: their order, what each sender may add, and what a block takes away or brings back. It is synchronous and
 * looks nothing up but nonces and balances, so that thousands a second can come beside the blocks that are made of them.
 */
class TxPool implements Pool {
  private readonly options: PoolOptions
  private readonly ports: PoolPorts
  private readonly contents = createContents()
  private readonly listeners = new Set<(event: PoolEvent) => void>()
  private readonly localSenders = createRecentSet(localSendersKept)
  private readonly prioritySenders: Set<string>
  private arrivals = 0
  private rules: PoolHead['rules']
  readonly get: Pool['get']
  readonly has: Pool['has']
  readonly entries: Pool['entries']
  readonly pending: Pool['pending']
  readonly queued: Pool['queued']
  readonly content: Pool['content']
  readonly contentOf: Pool['contentOf']
  readonly nextNonce: Pool['nextNonce']
  readonly count: Pool['count']
  readonly bytes: Pool['bytes']
  readonly minable: Pool['minable']
  readonly statistics: Pool['statistics']

  constructor(options: PoolOptions, ports: PoolPorts) {
    this.ports = ports
    this.options = options
    const views = createViews(this.contents, options.limits)
    this.prioritySenders = new Set(options.prioritySenders.map(keyOf))
    const { rules } = ports.head()
    this.rules = rules
    this.get = views.get
    this.has = views.has
    this.entries = views.entries
    this.pending = views.pending
    this.queued = views.queued
    this.content = views.content
    this.contentOf = views.contentOf
    this.nextNonce = views.nextNonce
    this.count = views.count
    this.bytes = views.bytes
    this.minable = views.minable
    this.statistics = views.statistics
  }

  private emit(event: PoolEvent): void {
    for (const listener of this.listeners) listener(event)
  }

  private remove(entry: PoolEntry, reason: DropReason): void {
    this.contents.remove(entry)
    this.emit({ type: 'dropped', entry, reason })
  }

  private hasPriority(sender: Address | undefined, local: boolean): boolean {
    return (
      (local && this.options.localPriority) ||
      (sender !== undefined && this.prioritySenders.size > 0 && this.prioritySenders.has(keyOf(sender)))
    )
  }

  private findFault(tx: Tx, origin: Origin, reorged: boolean): PoolFault | undefined {
    const head = this.ports.head()
    if (this.contents.has(txKey(tx))) return { code: 'TRANSACTION_ALREADY_KNOWN' }
    const sender = senderOf(tx)
    const priority = this.hasPriority(sender, origin.local)
    const early =
      findPriceFault(tx, { local: origin.local, priority }, this.options, this.ports) ??
      findSizeFault(tx, origin.sidecar) ??
      findTxFault(tx, head.rules, head.chainId) ??
      findHeadFault(tx, priority, this.options, head)
    if (early || !sender) return early
    const refusal = findPermissionFault(this.ports.permits?.(tx, sender))
    if (refusal) return refusal
    const account = accountOf(head, sender)
    return (
      findBalanceFault(upfrontCost(tx), account) ??
      findNonceFault(tx, account) ??
      findCodeFault(account, head) ??
      this.findSlotFault(tx, sender, account.nonce, head) ??
      (reorged ? undefined : findSidecarFault(tx, origin.sidecar, head, this.ports))
    )
  }

  /** Checks the nonce against the sender's other transactions: too far ahead, or an underpriced replacement. */
  private findSlotFault(tx: Tx, sender: Address, nonce: bigint, head: PoolHead): PoolFault | undefined {
    const queue = this.contents.queue(sender)
    const below = (queue ? nextNonceOf(queue) : nonce) + BigInt(this.options.limits.maxFuture)
    if (tx.nonce >= below) return { code: 'NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER', have: tx.nonce, below }
    const old = queue && entryAt(queue, tx.nonce)
    if (old && !mayReplace(old.tx, tx, head.baseFee, this.options.priceBump))
      return { code: 'TRANSACTION_REPLACEMENT_UNDERPRICED' }
    return undefined
  }

  private admit(tx: Tx, origin: Origin, reorged: boolean): PoolFault | undefined {
    const fault = this.findFault(tx, origin, reorged)
    if (fault) return fault
    const { local, now, sidecar } = origin
    const recovered = senderOf(tx)!
    const queue = this.contents.queue(recovered)
    // All transactions of a sender share one address object: a byte array takes much more memory than its 20 bytes.
    const sender = queue?.sender ?? recovered
    rememberSender(tx, sender)
    const entry: PoolEntry = {
      tx,
      hash: txHash(tx),
      sender,
      local,
      priority: this.hasPriority(sender, local),
      addedAt: now,
      arrival: this.arrivals++,
      cost: upfrontCost(tx),
      size: sizeOf(tx, sidecar),
      sidecar,
    }
    const old = queue && entryAt(queue, tx.nonce)
    if (old) this.contents.remove(old)
    const { nonce } = accountOf(this.ports.head(), sender)
    this.contents.insert(entry, nonce)
    if (!this.makeRoom(entry)) {
      if (old) this.contents.insert(old, nonce)
      return { code: 'TX_POOL_FULL' }
    }
    if (local) this.localSenders.add(keyOf(sender))
    if (old) this.emit({ type: 'dropped', entry: old, reason: { code: 'REPLACED', by: entry.hash } })
    this.emit({ type: 'added', entry })
    return undefined
  }

  /** Evicts entries until the pool is within its limits; returns false if the new entry was evicted. */
  private makeRoom(newcomer: PoolEntry): boolean {
    const baseFee = this.ports.head().baseFee ?? 0n
    while (this.contents.count > this.options.limits.maxCount || this.contents.bytes > this.options.limits.maxBytes) {
      const worst = this.contents.worst(baseFee)!
      if (worst === newcomer) {
        this.contents.remove(worst)
        return false
      }
      this.remove(worst, { code: 'EVICTED' })
    }
    return true
  }

  /** Updates a sender's transactions to its account at the head. */
  private refresh(queue: SenderQueue, head: PoolHead, mined: ReadonlySet<string>, changedRules: boolean): void {
    const account = accountOf(head, queue.sender)
    for (const entry of this.contents.moveNonce(queue, account.nonce)) {
      const stale = { code: 'NONCE_TOO_LOW', have: entry.tx.nonce, want: account.nonce } as const
      this.emit({ type: 'dropped', entry, reason: mined.has(txKey(entry.tx)) ? { code: 'MINED' } : stale })
    }
    const ofSender = findCodeFault(account, head)
    const lost: [PoolEntry, PoolFault][] = []
    for (const entry of queue.entries) {
      const ofTx = changedRules ? findRulesFault(entry, head) : undefined
      const fault = ofSender ?? findBalanceFault(entry.cost, account) ?? ofTx
      if (fault) lost.push([entry, fault])
    }
    for (const [entry, fault] of lost) this.remove(entry, fault)
  }

  private queuesTouchedBy(txs: readonly Tx[]): Set<SenderQueue> {
    const queues = new Set<SenderQueue>()
    for (const address of touchedBy(txs)) {
      const queue = this.contents.queue(address)
      if (queue) queues.add(queue)
    }
    return queues
  }

  readonly expire = (now: number): void => {
    if (this.options.limits.retention === undefined) return
    for (const entry of this.contents.entries()) {
      // Entries are in order of arrival: after the first one that is kept, all are.
      if (now - entry.addedAt < this.options.limits.retention) return
      this.remove(entry, { code: 'EXPIRED' })
    }
  }

  readonly add: Pool['add'] = (tx, origin) => this.admit(tx, origin, false)

  readonly onHead: Pool['onHead'] = ({ added, removed, now }) => {
    const head = this.ports.head()
    const changedRules = head.rules !== this.rules
    this.rules = head.rules
    // A reorg can revert payments to any account, and new rules affect all transactions.
    const queues = removed.length > 0 || changedRules ? new Set(this.contents.queues()) : this.queuesTouchedBy(added)
    const mined = new Set(added.map(txKey))
    for (const queue of queues) this.refresh(queue, head, mined, changedRules)
    // A transaction that is also in the new blocks is refused because of its nonce.
    for (const tx of removed) {
      const sender = senderOf(tx)
      this.admit(tx, { local: sender !== undefined && this.localSenders.has(keyOf(sender)), now }, true)
    }
    this.expire(now)
  }

  readonly drop: Pool['drop'] = (hash, reason) => {
    const entry = this.contents.get(hash)
    if (entry) this.remove(entry, reason)
  }

  readonly recheckPermissions: Pool['recheckPermissions'] = () => {
    for (const entry of [...this.contents.entries()]) {
      const fault = findPermissionFault(this.ports.stillPermits?.(entry.tx, entry.sender))
      if (fault) this.remove(entry, fault)
    }
  }

  readonly findRefusal: Pool['findRefusal'] = ({ tx, sender }) =>
    findPermissionFault(this.ports.stillPermits?.(tx, sender))

  readonly best: Pool['best'] = (fees) => createBestTransactions(this.contents.queues(), fees)

  readonly subscribe: Pool['subscribe'] = (listener) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}

/** Creates the pool, which uses no sockets, clock or files. */
export function createPool(options: PoolOptions, ports: PoolPorts): Pool {
  return new TxPool(options, ports)
}
