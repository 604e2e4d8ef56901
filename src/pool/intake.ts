import type { RecoverPool } from '../primitives/recoverPool.ts'
import type { NetworkTx } from '../types/blobSidecar.ts'
import { txHash } from '../types/encodeTx.ts'
import type { PoolFault } from './fault.ts'
import type { Pool } from './pool.ts'
import { recoverSenders } from './recoverSenders.ts'

export interface IntakePorts {
  readonly pool: Pick<Pool, 'add' | 'get'>
  readonly recover: RecoverPool
  /** Milliseconds since 1970. */
  now(): number
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

/** What comes while senders are being recovered makes the next batch; order of arrival is kept. */
export function createIntake({ pool, recover, now }: IntakePorts): Intake {
  let waiting: Waiting[] = []
  let working = false

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await recoverSenders(
          batch.map(({ tx }) => tx),
          recover,
        )
        for (const { tx, sidecar, local, done } of batch) done(pool.add(tx, { local, now: now(), sidecar }))
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    working = false
  }

  return {
    submit(candidate, local) {
      // What is known already costs no recovery: gossip brings most transactions several times.
      if (pool.get(txHash(candidate.tx))) return Promise.resolve({ code: 'TRANSACTION_ALREADY_KNOWN' })
      return new Promise((done, failed) => {
        waiting.push({ ...candidate, local, done, failed })
        if (working) return
        working = true
        // All that this turn of the event loop brings goes together.
        setImmediate(work)
      })
    },
  }
}
