import type { Clock } from '../system/clock.ts'

/** Whether a node is really catching up: by blocks that it imported, never by what peers claim to have. */
export interface CatchUp {
  /** Notes that blocks, whose seals are valid, were downloaded and imported. */
  onImported(count: number): void
  /** A new download has started. */
  onStarted(): void
  /** True shortly after the start of the node, and shortly after a download imported more than a few blocks. */
  isLikely(): boolean
  stop(): void
}

/** Milliseconds after the start in which peers may show that they have more blocks. */
const startWait = 5000
/** Milliseconds for which imported blocks show that more of them are missing. */
const proofLasts = 5000

/** `few` blocks are on their way all the time: to have fetched them proves nothing. */
export function createCatchUp(clock: Clock, few: bigint): CatchUp {
  let imported = 0n
  let isLikely = true
  let cancel = clock.after(startWait, expire)

  function expire(): void {
    isLikely = false
  }

  return {
    onStarted() {
      imported = 0n
    },
    onImported(count) {
      imported += BigInt(count)
      if (imported <= few) return
      isLikely = true
      cancel()
      cancel = clock.after(proofLasts, expire)
    },
    isLikely: () => isLikely,
    stop: () => cancel(),
  }
}
