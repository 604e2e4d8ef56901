import type { Clock } from '../../system/clock.ts'
import { PrivacyError } from '../fault.ts'

/** Questions that wait for a group to execute a block. */
export interface Reach {
  /** Waits some seconds until a group has executed a block; a PrivacyError says that it is behind. */
  reach(group: Uint8Array, block: bigint): Promise<void>
  /** A group has executed more. */
  wake(): void
}

/** Milliseconds that a question waits for its block. */
const patience = 10_000

export function createReach(clock: Clock, reached: (group: Uint8Array) => number): Reach {
  const waiting = new Set<() => void>()
  return {
    wake() {
      for (const check of waiting) check()
    },
    reach(group, block) {
      const there = () => BigInt(reached(group)) >= block
      if (there()) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const check = () => {
          if (!there()) return
          cancel()
          waiting.delete(check)
          resolve()
        }
        const cancel = clock.after(patience, () => {
          waiting.delete(check)
          const at = BigInt(Math.max(0, reached(group)))
          reject(new PrivacyError({ code: 'PRIVATE_STATE_BEHIND', at, wanted: block }))
        })
        waiting.add(check)
      })
    },
  }
}
