import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Hash32, keyOf } from '../primitives/bytes.ts'
import { runInTurns, type Steps } from '../primitives/steps.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import type { Clock } from '../system/clock.ts'
import type { NetworkTx } from '../types/blobSidecar.ts'
import { txKey } from '../types/encodeTx.ts'
import type { Tx } from '../types/transaction.ts'
import type { Amount } from './amount.ts'
import { sizeOf } from './entry.ts'
import type { PoolFault } from './fault.ts'
import type { Pool } from './pool.ts'
import { recoverSenders } from './recoverSenders.ts'

export interface IntakePorts {
  readonly pool: Pick<Pool, 'add' | 'has' | 'count' | 'bytes'>
  readonly recover: RecoverPool
  readonly clock: Clock
  /** Whether a block is due: then transactions wait, so that the block is not delayed. */
  isBlockDue(): boolean
  /** Why a user's transaction cannot be taken now, with so many undecided before it; undefined if it can. */
  findOverload?(tx: Tx, undecided: Amount): PoolFault | undefined
  /** Why each may not enter, whatever the pool says; undefined for those that may. */
  screen?(txs: readonly { readonly tx: Tx; readonly local: boolean }[]): Promise<readonly (PoolFault | undefined)[]>
  /** The same as `findOverload`, right before it is added to the pool, when its sender is known. */
  findGapFault?(tx: Tx): PoolFault | undefined
}

/** Called with why a transaction was refused, or with undefined if it was accepted. */
export type Decided = (fault: PoolFault | undefined) => void

/** Adds transactions of users and peers to the pool, in batches. */
export interface Intake {
  /** Adds a transaction; returns why it was refused, undefined if it was accepted. */
  submit(candidate: NetworkTx, local: boolean): Promise<PoolFault | undefined>
  /** The same for a peer's transaction, at less cost; `failed` is called if it could not be checked. */
  offer(candidate: NetworkTx, decided: Decided, failed: (error: unknown) => void): void
  /** Returns a transaction that waits to be checked. */
  find(hash: Hash32): Tx | undefined
  /** Transactions that are not decided yet. */
  undecided(): Amount
}

interface Waiting extends NetworkTx {
  readonly key: string
  readonly size: number
  readonly local: boolean
  readonly decided: Decided
  readonly failed: (error: unknown) => void
  /** Copies that came meanwhile. */
  copies: Waiting[] | undefined
}

/** Maximum batch whose senders are recovered together; a single transaction may be larger. */
const maxAtOnce: Amount = { count: 256, bytes: 512 << 10 }
/** With more transactions waiting than this, a block that is due goes first. */
const maxBesideBlock: Amount = { count: 64, bytes: 256 << 10 }
/** A block goes first only if it finds this many in the pool: else there would be empty blocks although many wait. */
const minInPool: Amount = { count: 1024, bytes: 1 << 20 }
/** Milliseconds between two checks whether the block is still due, and at most before a batch. */
const checkInterval = 20
const maxDelay = 100
/** A user's transaction is refused if this many are waiting. */
const maxWaiting: Amount = { count: 16_384, bytes: 16 << 20 }

const known: PoolFault = { code: 'TRANSACTION_ALREADY_KNOWN' }
const busy: PoolFault = { code: 'TOO_MANY_TRANSACTIONS', retryAfter: 1 }

const waitingOf = (
  { tx, sidecar }: NetworkTx,
  local: boolean,
  decided: Decided,
  failed: (error: unknown) => void,
): Waiting => ({
  ...{ tx, sidecar, local, decided, failed },
  key: txKey(tx),
  size: sizeOf(tx, sidecar),
  copies: undefined,
})

/**
 * Transactions on their way into the pool: in batches, with their senders recovered in threads, fairly among peers. A signature costs more
 * than all the rest of a transaction; and when a block is due, blocks go first, because a late one costs everybody more than a late transaction.
 */
class TxIntake implements Intake {
  private readonly ports: IntakePorts
  private readonly waiting: Waiting[] = []
  /** Those that are not decided yet, by hash. */
  private readonly byHash = new Map<string, Waiting>()
  private undecidedBytes = 0
  private waitingBytes = 0
  private working = false

  constructor(ports: IntakePorts) {
    this.ports = ports
  }

  private mayWait(): boolean {
    const isMuch = this.waiting.length > maxBesideBlock.count || this.waitingBytes > maxBesideBlock.bytes
    return isMuch && (this.ports.pool.count() >= minInPool.count || this.ports.pool.bytes() >= minInPool.bytes)
  }

  private async waitForBlock(): Promise<void> {
    const end = this.ports.clock.now() + maxDelay
    while (this.mayWait() && this.ports.isBlockDue() && this.ports.clock.now() < end)
      await new Promise<void>((done) => this.ports.clock.after(checkInterval, done))
  }

  private takeBatch(): readonly Waiting[] {
    let count = 0
    let bytes = 0
    for (const { size } of this.waiting) {
      if (count === maxAtOnce.count || (count > 0 && bytes + size > maxAtOnce.bytes)) break
      count++
      bytes += size
    }
    this.waitingBytes -= bytes
    return this.waiting.splice(0, count)
  }

  private readonly work = async (): Promise<void> => {
    while (this.waiting.length > 0) {
      await this.waitForBlock()
      const batch = this.takeBatch()
      try {
        await recoverSenders(
          batch.map(({ tx }) => tx),
          this.ports.recover,
        )
        const refusals = await this.ports.screen?.(batch)
        await runInTurns(this.addAll(batch, refusals), nextTurn)
      } catch (error) {
        for (const one of batch) this.fail(one, error)
      }
    }
    this.working = false
  }

  private *addAll(batch: readonly Waiting[], refusals: readonly (PoolFault | undefined)[] = []): Steps<void> {
    const now = this.ports.clock.now()
    for (const [i, one] of batch.entries()) {
      this.settle(one, refusals[i] ?? this.add(one, now))
      yield
    }
  }

  private add({ tx, local, sidecar }: Waiting, now: number): PoolFault | undefined {
    const fault = local ? this.ports.findGapFault?.(tx) : undefined
    return fault ?? this.ports.pool.add(tx, { local, now, sidecar })
  }

  private forget({ key, size }: Waiting): boolean {
    if (!this.byHash.delete(key)) return false
    this.undecidedBytes -= size
    return true
  }

  private settle(one: Waiting, fault: PoolFault | undefined): void {
    this.forget(one)
    one.decided(fault)
    if (!one.copies) return
    // A user's transaction may be accepted although a peer's copy was refused.
    for (const copy of one.copies)
      if (fault) this.take(copy)
      else copy.decided(known)
  }

  private fail(one: Waiting, error: unknown): void {
    // Those before the one that failed are decided.
    if (!this.forget(one)) return
    one.failed(error)
    for (const copy of one.copies ?? []) copy.failed(error)
  }

  private take(one: Waiting): void {
    // Known transactions need no recovery: gossip brings most transactions several times.
    if (this.ports.pool.has(one.key)) {
      one.decided(known)
      return
    }
    const first = this.byHash.get(one.key)
    if (first) {
      first.copies ??= []
      first.copies.push(one)
      return
    }
    const overload = one.local ? this.findLocalOverload(one.tx) : undefined
    if (overload) {
      one.decided(overload)
      return
    }
    this.byHash.set(one.key, one)
    this.undecidedBytes += one.size
    this.waiting.push(one)
    this.waitingBytes += one.size
    if (this.working) return
    this.working = true
    // Batches all transactions of this turn of the event loop.
    setImmediate(this.work)
  }

  /** Transactions of peers are limited where they arrive. */
  private findLocalOverload(tx: Tx): PoolFault | undefined {
    return this.isFull() ? busy : this.ports.findOverload?.(tx, { count: this.byHash.size, bytes: this.undecidedBytes })
  }

  private isFull() {
    return this.waiting.length >= maxWaiting.count || this.waitingBytes >= maxWaiting.bytes
  }

  readonly submit: Intake['submit'] = (candidate, local) =>
    new Promise((decided, failed) => this.take(waitingOf(candidate, local, decided, failed)))

  readonly find: Intake['find'] = (hash) => this.byHash.get(keyOf(hash))?.tx

  readonly undecided: Intake['undecided'] = () => ({ count: this.byHash.size, bytes: this.undecidedBytes })

  readonly offer: Intake['offer'] = (candidate, decided, failed) =>
    this.take(waitingOf(candidate, false, decided, failed))
}

/** Creates the intake. Transactions that arrive while senders are recovered form the next batch, in order of arrival. */
export function createIntake(ports: IntakePorts): Intake {
  return new TxIntake(ports)
}
