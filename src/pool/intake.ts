import { keyOf } from '../primitives/bytes.ts'
import type { Clock } from '../primitives/clock.ts'
import type { RecoverPool } from '../primitives/recoverPool.ts'
import type { NetworkTx } from '../types/blobSidecar.ts'
import { txHash } from '../types/encodeTx.ts'
import type { PoolFault } from './fault.ts'
import type { Pool } from './pool.ts'
import { recoverSenders } from './recoverSenders.ts'

export interface IntakePorts {
  readonly pool: Pick<Pool, 'add' | 'get'>
  readonly recover: RecoverPool
  readonly clock: Clock
  /** Whether a block is due: then transactions wait, so that the block is not delayed. */
  isBlockDue(): boolean
}

/** Adds transactions of users and peers to the pool, in batches. */
export interface Intake {
  /** Adds a transaction; returns why it was refused, undefined if it was accepted. */
  submit(candidate: NetworkTx, local: boolean): Promise<PoolFault | undefined>
}

interface Waiting extends NetworkTx {
  readonly local: boolean
  readonly done: (fault: PoolFault | undefined) => void
  readonly failed: (error: unknown) => void
}

/** Maximum batch between two turns of the event loop, so that a flood of transactions does not delay blocks. */
const maxAtOnce = 256
/** With more transactions waiting than this, a block that is due goes first. */
const maxWaitingBesideBlock = 64
/** Milliseconds between two checks whether the block is still due, and at most in total. */
const checkInterval = 20
const maxDelay = 1000
/** A user's transaction is refused if this many are waiting. */
const maxWaiting = 16_384

const known: PoolFault = { code: 'TRANSACTION_ALREADY_KNOWN' }
const full: PoolFault = { code: 'TX_POOL_FULL' }

/** Creates the intake. Transactions that arrive while senders are recovered form the next batch, in order of arrival. */
export function createIntake({ pool, recover, clock, isBlockDue }: IntakePorts): Intake {
  const waiting: Waiting[] = []
  /** Results to come of the waiting transactions, by hash. */
  const results = new Map<string, Promise<PoolFault | undefined>>()
  let working = false

  async function waitForBlock(): Promise<void> {
    const end = clock.now() + maxDelay
    while (waiting.length > maxWaitingBesideBlock && isBlockDue() && clock.now() < end)
      await new Promise<void>((done) => clock.after(checkInterval, done))
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      await waitForBlock()
      const batch = waiting.splice(0, maxAtOnce)
      try {
        await recoverSenders(
          batch.map(({ tx }) => tx),
          recover,
        )
        for (const { tx, sidecar, local, done } of batch) done(pool.add(tx, { local, now: clock.now(), sidecar }))
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    working = false
  }

  function decide(candidate: NetworkTx, local: boolean): Promise<PoolFault | undefined> {
    return new Promise((done, failed) => {
      const { tx, sidecar } = candidate
      waiting.push({ tx, sidecar, local, done, failed })
      if (working) return
      working = true
      // Batches all transactions of this turn of the event loop.
      setImmediate(work)
    })
  }

  function submit(candidate: NetworkTx, local: boolean): Promise<PoolFault | undefined> {
    // Known transactions need no recovery: gossip brings most transactions several times.
    const hash = txHash(candidate.tx)
    if (pool.get(hash)) return Promise.resolve(known)
    const key = keyOf(hash)
    const first = results.get(key)
    // A user's transaction may be accepted although a peer's copy was refused.
    if (first) return first.then((fault) => (fault ? submit(candidate, local) : known))
    // Transactions of peers are limited where they arrive.
    if (local && waiting.length >= maxWaiting) return Promise.resolve(full)
    const result = decide(candidate, local).finally(() => results.delete(key))
    results.set(key, result)
    return result
  }

  return { submit }
}
