import { upfrontCost } from '../execution/runTx.ts'
import { type Address, type Hash32, keyOf } from '../primitives/bytes.ts'
import type { BlobSidecar } from '../types/blobSidecar.ts'
import { txHash } from '../types/encodeTx.ts'
import { authorityOf, rememberSender, senderOf } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import {
  accountOf,
  findBalanceFault,
  findCodeFault,
  findHeadFault,
  findNonceFault,
  findPriceFault,
  findSidecarFault,
} from './admission.ts'

import { type BestTransactions, type BlockFees, createBestTransactions } from './bestTransactions.ts'
import { createContents } from './contents.ts'
import { type PoolEntry, sizeOf } from './entry.ts'
import type { DropReason, PoolFault } from './fault.ts'
import { findTxFault } from './findTxFault.ts'
import type { PoolOptions } from './options.ts'
import type { PoolHead, PoolPorts } from './ports.ts'
import { createRecentSet } from './recentSet.ts'
import { mayReplace } from './replacement.ts'
import { entryAt, nextNonceOf, type SenderQueue } from './senderQueue.ts'
import { createViews, type PoolViews } from './views.ts'

/** Where a transaction comes from. */
export interface Origin {
  /** Given to this node by a user, not by a peer. */
  readonly local: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  readonly sidecar?: BlobSidecar | undefined
}

/** How the chain moved: transactions of the blocks that came and of those that a reorg took away, in chain order. */
export interface HeadChange {
  readonly added: readonly Tx[]
  readonly removed: readonly Tx[]
  readonly now: number
}

export type PoolEvent =
  | { readonly type: 'added'; readonly entry: PoolEntry }
  | { readonly type: 'dropped'; readonly entry: PoolEntry; readonly reason: DropReason }

/** Transactions that wait for a block. */
export interface Pool extends PoolViews {
  /** Takes a transaction in, or says why not. Its sender should be known by now: finding it here blocks the thread. */
  add(tx: Tx, origin: Origin): PoolFault | undefined
  /** To be told right after the head has changed. */
  onHead(change: HeadChange): void
  /** Takes out a transaction that turned out invalid while a block was built. */
  drop(hash: Hash32, reason: DropReason): void
  /** Takes out what waits for longer than the pool keeps it; every new head does so too. */
  expire(now: number): void
  best(fees: BlockFees): BestTransactions
  /** Calls the listener after each change; answers how to stop that. */
  subscribe(listener: (event: PoolEvent) => void): () => void
}

/** Local senders that are remembered, so that their transactions come back as local after a reorg. */
const localSendersKept = 65_536

/** The pool: no sockets, clock or files inside. */
export function createPool(options: PoolOptions, ports: PoolPorts): Pool {
  const { limits } = options
  const contents = createContents()
  const listeners = new Set<(event: PoolEvent) => void>()
  const localSenders = createRecentSet(localSendersKept)
  const prioritySenders = new Set(options.prioritySenders.map(keyOf))
  let arrivals = 0
  let { rules } = ports.head()

  function tell(event: PoolEvent): void {
    for (const listener of listeners) listener(event)
  }

  function remove(entry: PoolEntry, reason: DropReason): void {
    contents.remove(entry)
    tell({ type: 'dropped', entry, reason })
  }

  function hasPriority(sender: Address | undefined, local: boolean): boolean {
    return (local && options.localPriority) || (sender !== undefined && prioritySenders.has(keyOf(sender)))
  }

  function findFault(tx: Tx, origin: Origin, reorged: boolean): PoolFault | undefined {
    const head = ports.head()
    if (contents.get(txHash(tx))) return { code: 'TRANSACTION_ALREADY_KNOWN' }
    const sender = senderOf(tx)
    const priority = hasPriority(sender, origin.local)
    const early =
      findPriceFault(tx, { local: origin.local, priority }, options, ports) ??
      findTxFault(tx, head.rules, head.chainId) ??
      findHeadFault(tx, priority, options, head)
    if (early || !sender) return early
    if (ports.allowed?.(tx, sender) === false) return { code: 'TX_SENDER_NOT_AUTHORIZED', why: 'permissions' }
    const account = accountOf(head, sender)
    return (
      findBalanceFault(upfrontCost(tx), account) ??
      findNonceFault(tx, account) ??
      findCodeFault(account, head) ??
      findPlaceFault(tx, sender, account.nonce, head) ??
      (reorged ? undefined : findSidecarFault(tx, origin.sidecar, head, ports))
    )
  }

  /** Whether the pool itself has a place for that sender and nonce. */
  function findPlaceFault(tx: Tx, sender: Address, nonce: bigint, head: PoolHead): PoolFault | undefined {
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
    // One address for all transactions of a sender: byte arrays weigh more than what they hold.
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
    if (old) tell({ type: 'dropped', entry: old, reason: { code: 'REPLACED', by: entry.hash } })
    tell({ type: 'added', entry })
    return undefined
  }

  /** Drops what is missed least until all fits; false when that was the newcomer itself. */
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

  /** Brings a sender's transactions up to its account at the head. */
  function refresh(queue: SenderQueue, head: PoolHead, mined: ReadonlySet<string>, changedRules: boolean): void {
    const account = accountOf(head, queue.sender)
    for (const entry of contents.moveNonce(queue, account.nonce)) {
      const stale = { code: 'NONCE_TOO_LOW', have: entry.tx.nonce, want: account.nonce } as const
      tell({ type: 'dropped', entry, reason: mined.has(keyOf(entry.hash)) ? { code: 'MINED' } : stale })
    }
    const ofSender = findCodeFault(account, head)
    const lost: [PoolEntry, PoolFault][] = []
    for (const entry of queue.entries) {
      const ofTx = changedRules ? findTxFault(entry.tx, head.rules, head.chainId) : undefined
      const fault = ofSender ?? findBalanceFault(entry.cost, account) ?? ofTx
      if (fault) lost.push([entry, fault])
    }
    for (const [entry, fault] of lost) remove(entry, fault)
  }

  /**
   * Accounts whose nonce a block's transactions raise, and whose balance they lower unless an account's delegated code
   * pays out: what that makes invalid is found when a block is built.
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
      // Entries come in order of arrival: behind the first young one there is no old one.
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
      // A reorg can take back what an account was paid; new rules concern all.
      const queues = removed.length > 0 || changedRules ? new Set(contents.queues()) : queuesTouchedBy(added)
      const mined = new Set(added.map((tx) => keyOf(txHash(tx))))
      for (const queue of queues) refresh(queue, head, mined, changedRules)
      // What the new blocks have as well is refused by its nonce.
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
    best: (fees) => createBestTransactions(contents.queues(), fees),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
