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
  /** Whether the chain waits for a block that is due: then all time goes to that block. */
  isBlockDue(): boolean
}

/** The way into the pool for whatever comes from users and peers. */
export interface Intake {
  /** Takes a transaction in, or says why not. */
  submit(candidate: NetworkTx, local: boolean): Promise<PoolFault | undefined>
}

interface Waiting extends NetworkTx {
  readonly local: boolean
  readonly done: (fault: PoolFault | undefined) => void
  readonly failed: (error: unknown) => void
}

/** Transactions between two turns of the event loop: a flood of them must not keep blocks waiting. */
const maxAtOnce = 256
/** When more than these wait, a block that is due goes first: so many milliseconds are waited for it, between looks. */
const few = 64
const lookEvery = 20
const maxRest = 1000
/** A user's transaction is refused when so many wait. */
const maxWaiting = 16_384

const known: PoolFault = { code: 'TRANSACTION_ALREADY_KNOWN' }
const full: PoolFault = { code: 'TX_POOL_FULL' }

/** What comes while senders are being recovered makes the next batch; order of arrival is kept. */
export function createIntake({ pool, recover, clock, isBlockDue }: IntakePorts): Intake {
  const waiting: Waiting[] = []
  /** What the verdict will be on those that wait, by hash. */
  const inHand = new Map<string, Promise<PoolFault | undefined>>()
  let working = false

  async function rest(): Promise<void> {
    const end = clock.now() + maxRest
    while (waiting.length > few && isBlockDue() && clock.now() < end)
      await new Promise<void>((done) => clock.after(lookEvery, done))
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      await rest()
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
      // All that this turn of the event loop brings goes together.
      setImmediate(work)
    })
  }

  function submit(candidate: NetworkTx, local: boolean): Promise<PoolFault | undefined> {
    // What is known already costs no recovery: gossip brings most transactions several times.
    const hash = txHash(candidate.tx)
    if (pool.get(hash)) return Promise.resolve(known)
    const key = keyOf(hash)
    const first = inHand.get(key)
    // A user's copy may be welcome where a peer's was not.
    if (first) return first.then((fault) => (fault ? submit(candidate, local) : known))
    // What peers send is bounded where it comes in, and was accepted by one of them.
    if (local && waiting.length >= maxWaiting) return Promise.resolve(full)
    const verdict = decide(candidate, local).finally(() => inHand.delete(key))
    inHand.set(key, verdict)
    return verdict
  }

  return { submit }
}
