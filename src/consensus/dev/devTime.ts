import type { Clock } from '../../system/clock.ts'

/** The time of a development network, which users may move forward. */
export interface DevTime {
  /** Timestamp of a block on this parent. `onMade` must be called if the block is made. */
  next(parent: bigint): { readonly timestamp: bigint; onMade(): void }
  /** Moves the time forward; returns by how many seconds it is ahead of the clock. */
  increase(seconds: bigint): bigint
  /** Sets the timestamp of the next block; the time goes on from there. */
  setNext(timestamp: bigint): void
  /** Goes back to the time of the clock. */
  reset(): void
  /** Remembers the time now; the returned function goes back to it. */
  save(): () => void
}

export function createDevTime(clock: Pick<Clock, 'now'>): DevTime {
  const seconds = () => BigInt(Math.floor(clock.now() / 1000))
  let ahead = 0n
  let set: bigint | undefined
  return {
    next(parent) {
      const now = seconds() + ahead
      const timestamp = set ?? (now > parent ? now : parent + 1n)
      return {
        timestamp,
        onMade() {
          if (set === undefined) return
          ahead = timestamp - seconds()
          set = undefined
        },
      }
    },
    increase: (by) => (ahead += by),
    setNext(timestamp) {
      set = timestamp
    },
    reset() {
      ahead = 0n
      set = undefined
    },
    save() {
      const time = seconds() + ahead
      const setThen = set
      return () => {
        ahead = time - seconds()
        set = setThen
      }
    },
  }
}
