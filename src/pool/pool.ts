import { upfrontCost } from '../execution/runTx.ts'
import { type Address, type Hash32, keyOf } from '../primitives/bytes.ts'
import { createRecentSet } from '../primitives/recentSet.ts'
import type { BlobSidecar } from '../types/blobSidecar.ts'
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
import { type BestTransactions, type BlockFees, createBestTransactions } from './bestTransactions.ts'
import { findBlobMistake } from './blobs.ts'
import { createContents } from './contents.ts'
import { type PoolEntry, sizeOf } from './entry.ts'
import type { DropReason, PoolFault } from './fault.ts'
import { findTxFault } from './findTxFault.ts'
import type { PoolOptions } from './options.ts'
import type { PoolHead, PoolPorts } from './ports.ts'
import { mayReplace } from './replacement.ts'
import { entryAt, nextNonceOf, type SenderQueue } from './senderQueue.ts'
import { createViews, type PoolViews } from './views.ts'

/** Where a transaction comes from. */
export interface Origin {
  /** Submitted to this node by a user, not received from a peer. */
  readonly local: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  readonly sidecar?: BlobSidecar | undefined
}

/** A change of the head: transactions of the new blocks and of those that a reorg removed, in chain order. */
export interface HeadChange {
  readonly added: readonly Tx[]
  readonly removed: readonly Tx[]
  readonly now: number
}

export type PoolEvent =
  | { readonly type: 'added'; readonly entry: PoolEntry }
  | { readonly type: 'dropped'; readonly entry: PoolEntry; readonly reason: DropReason }

/** The transaction pool. */
export interface Pool extends PoolViews {
  /** Adds a transaction; returns why it was refused. Recover its sender before: doing it here blocks the thread. */
  add(tx: Tx, origin: Origin): PoolFault | undefined
  /** Must be called right after the head has changed. */
  onHead(change: HeadChange): void
  /** Removes a transaction that proved invalid while a block was built. */
  drop(hash: Hash32, reason: DropReason): void
  /** Removes transactions that the rules without state no longer allow. Must be called when those have changed. */
  recheckPermissions(): void
  /** Removes expired transactions; every new head does so too. */
  expire(now: number): void
  /** Why account permissioning does not allow a transaction any more; undefined if it does. */
  findRefusal(entry: PoolEntry): PoolFault | undefined
  best(fees: BlockFees): BestTransactions
  /** Calls the listener after each change; returns a function that unsubscribes. */
  subscribe(listener: (event: PoolEvent) => void): () => void
}

/** Number of local senders that are remembered, so that their transactions are local again after a reorg. */
const localSendersKept = 65_536

/** Creates the pool, which uses no sockets, clock or files. */
export function createPool(options: PoolOptions, ports: PoolPorts): Pool {
  const { limits } = options
  const contents = createContents()
  const listeners = new Set<(event: PoolEvent) => void>()
  const localSenders = createRecentSet(localSendersKept)
  const prioritySenders = new Set(options.prioritySenders.map(keyOf))
  let arrivals = 0
  let { rules } = ports.head()

  function emit(event: PoolEvent): void {
    for (const listener of listeners) listener(event)
  }

  function remove(entry: PoolEntry, reason: DropReason): void {
    contents.remove(entry)
    emit({ type: 'dropped', entry, reason })
  }

  function hasPriority(sender: Address | undefined, local: boolean): boolean {
    return (
      (local && options.localPriority) ||
      (sender !== undefined && prioritySenders.size > 0 && prioritySenders.has(keyOf(sender)))
    )
  }

  function findFault(tx: Tx, origin: Origin, reorged: boolean): PoolFault | undefined {
    const head = ports.head()
    if (contents.has(txKey(tx))) return { code: 'TRANSACTION_ALREADY_KNOWN' }
    const sender = senderOf(tx)
    const priority = hasPriority(sender, origin.local)
    const early =
      findPriceFault(tx, { local: origin.local, priority }, options, ports) ??
      findSizeFault(tx, origin.sidecar) ??
      findTxFault(tx, head.rules, head.chainId) ??
      findHeadFault(tx, priority, options, head)
    if (early || !sender) return early
    const refusal = findPermissionFault(ports.permits?.(tx, sender))
    if (refusal) return refusal
    const account = accountOf(head, sender)
    return (
      findBalanceFault(upfrontCost(tx), account) ??
      findNonceFault(tx, account) ??
      findCodeFault(account, head) ??
      findSlotFault(tx, sender, account.nonce, head) ??
      (reorged ? undefined : findSidecarFault(tx, origin.sidecar, head, ports))
    )
  }

  /** Checks the nonce against the sender's other transactions: too far ahead, or an underpriced replacement. */
  function findSlotFault(tx: Tx, sender: Address, nonce: bigint, head: PoolHead): PoolFault | undefined {
    const queue = contents.queue(sender)
    const below = (queue ? nextNonceOf(queue) : nonce) + BigInt(limits.maxFuture)
    if (tx.nonce >= below) return { code: 'NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER', have: tx.nonce, below }
    const old = queue && entryAt(queue, tx.nonce)
    if (old && !mayReplace(old.tx, tx, head.baseFee, options.priceBump))
      return { code: 'TRANSACTION_REPLACEMENT_UNDERPRICED' }
    return undefined
  }

  function add(tx: Tx, origin: Origin, reorged: boolean): PoolFault | undefined {
    const fault = findFault(tx, origin, reorged)
    if (fault) return fault
    const { local, now, sidecar } = origin
    const recovered = senderOf(tx)!
    const queue = contents.queue(recovered)
    // All transactions of a sender share one address object: a byte array takes much more memory than its 20 bytes.
    const sender = queue?.sender ?? recovered
    rememberSender(tx, sender)
    const entry: PoolEntry = {
      tx,
      hash: txHash(tx),
      sender,
      local,
      priority: hasPriority(sender, local),
      addedAt: now,
      arrival: arrivals++,
      cost: upfrontCost(tx),
      size: sizeOf(tx, sidecar),
      sidecar,
    }
    const old = queue && entryAt(queue, tx.nonce)
    if (old) contents.remove(old)
    const { nonce } = accountOf(ports.head(), sender)
    contents.insert(entry, nonce)
    if (!makeRoom(entry)) {
      if (old) contents.insert(old, nonce)
      return { code: 'TX_POOL_FULL' }
    }
    if (local) localSenders.add(keyOf(sender))
    if (old) emit({ type: 'dropped', entry: old, reason: { code: 'REPLACED', by: entry.hash } })
    emit({ type: 'added', entry })
    return undefined
  }

  /** Evicts entries until the pool is within its limits; returns false if the new entry was evicted. */
  function makeRoom(newcomer: PoolEntry): boolean {
    const baseFee = ports.head().baseFee ?? 0n
    while (contents.count > limits.maxCount || contents.bytes > limits.maxBytes) {
      const worst = contents.worst(baseFee)!
      if (worst === newcomer) {
        contents.remove(worst)
        return false
      }
      remove(worst, { code: 'EVICTED' })
    }
    return true
  }

  /** What new rules find wrong with a transaction, or with its blobs: it is offered to others with these. */
  function findRulesFault({ tx, sidecar }: PoolEntry, head: PoolHead): PoolFault | undefined {
    const fault = findTxFault(tx, head.rules, head.chainId)
    if (fault || tx.type !== 3 || !sidecar) return fault
    const why = findBlobMistake(tx, sidecar, head.rules)
    return why && { code: 'INVALID_BLOBS', why }
  }

  /** Updates a sender's transactions to its account at the head. */
  function refresh(queue: SenderQueue, head: PoolHead, mined: ReadonlySet<string>, changedRules: boolean): void {
    const account = accountOf(head, queue.sender)
    for (const entry of contents.moveNonce(queue, account.nonce)) {
      const stale = { code: 'NONCE_TOO_LOW', have: entry.tx.nonce, want: account.nonce } as const
      emit({ type: 'dropped', entry, reason: mined.has(txKey(entry.tx)) ? { code: 'MINED' } : stale })
    }
    const ofSender = findCodeFault(account, head)
    const lost: [PoolEntry, PoolFault][] = []
    for (const entry of queue.entries) {
      const ofTx = changedRules ? findRulesFault(entry, head) : undefined
      const fault = ofSender ?? findBalanceFault(entry.cost, account) ?? ofTx
      if (fault) lost.push([entry, fault])
    }
    for (const [entry, fault] of lost) remove(entry, fault)
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

  function queuesTouchedBy(txs: readonly Tx[]): Set<SenderQueue> {
    const queues = new Set<SenderQueue>()
    for (const address of touchedBy(txs)) {
      const queue = contents.queue(address)
      if (queue) queues.add(queue)
    }
    return queues
  }

  function expire(now: number): void {
    if (limits.retention === undefined) return
    for (const entry of contents.entries()) {
      // Entries are in order of arrival: after the first one that is kept, all are.
      if (now - entry.addedAt < limits.retention) return
      remove(entry, { code: 'EXPIRED' })
    }
  }

  return {
    ...createViews(contents, limits),
    add: (tx, origin) => add(tx, origin, false),
    onHead({ added, removed, now }) {
      const head = ports.head()
      const changedRules = head.rules !== rules
      rules = head.rules
      // A reorg can revert payments to any account, and new rules affect all transactions.
      const queues = removed.length > 0 || changedRules ? new Set(contents.queues()) : queuesTouchedBy(added)
      const mined = new Set(added.map(txKey))
      for (const queue of queues) refresh(queue, head, mined, changedRules)
      // A transaction that is also in the new blocks is refused because of its nonce.
      for (const tx of removed) {
        const sender = senderOf(tx)
        add(tx, { local: sender !== undefined && localSenders.has(keyOf(sender)), now }, true)
      }
      expire(now)
    },
    drop(hash, reason) {
      const entry = contents.get(hash)
      if (entry) remove(entry, reason)
    },
    expire,
    recheckPermissions() {
      for (const entry of [...contents.entries()]) {
        const fault = findPermissionFault(ports.stillPermits?.(entry.tx, entry.sender))
        if (fault) remove(entry, fault)
      }
    },
    findRefusal: ({ tx, sender }) => findPermissionFault(ports.stillPermits?.(tx, sender)),
    best: (fees) => createBestTransactions(contents.queues(), fees),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
