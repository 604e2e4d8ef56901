import type { Chain } from '../chain/chain.ts'
import type { DevProducer } from '../consensus/dev/devProducer.ts'
import type { PoolEntry } from '../pool/entry.ts'
import type { Pool } from '../pool/pool.ts'
import type { Clock } from '../system/clock.ts'

interface SnapshotParts {
  readonly chain: Chain
  readonly pool: Pool
  readonly producer: DevProducer
  readonly clock: Clock
}

/** The chain, the pool and the time as they were. */
interface Saved {
  readonly number: bigint
  readonly pending: readonly PoolEntry[]
  readonly restoreTime: () => void
}

/** Snapshots of a development network, by number. */
export interface Snapshots {
  take(): number
  /** False if there is no such snapshot. */
  revert(id: number): boolean
  /** Goes back to a block, with these transactions in the pool. */
  revertTo(number: bigint, pending: readonly PoolEntry[]): void
  clear(): void
}

export function createSnapshots({ chain, pool, producer, clock }: SnapshotParts): Snapshots {
  const saved = new Map<number, Saved>()
  let last = 0

  function revertTo(number: bigint, pending: readonly PoolEntry[]): void {
    chain.setHead(number)
    // The transactions of the blocks that are gone are back in the pool, from where they would be mined again.
    for (const { hash } of [...pool.entries()]) pool.drop(hash, { code: 'EVICTED' })
    for (const { tx, local, sidecar } of pending) pool.add(tx, { local, sidecar, now: clock.now() })
  }

  return {
    take() {
      const { number } = chain.head().header
      saved.set(++last, { number, pending: [...pool.entries()], restoreTime: producer.time.save() })
      return last
    },
    revert(id) {
      const snapshot = saved.get(id)
      if (!snapshot || snapshot.number > chain.head().header.number) return false
      revertTo(snapshot.number, snapshot.pending)
      snapshot.restoreTime()
      for (const later of [...saved.keys()]) if (later >= id) saved.delete(later)
      return true
    },
    revertTo,
    clear: () => saved.clear(),
  }
}
