import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'

/** A block that a node needed and could not get or import. */
export interface Obstacle {
  readonly block: bigint
  /** The height of the chain that it is part of, as a peer announced it. */
  readonly highest: bigint
  readonly reason: string
  /** Whether it is of another branch: this chain passes its number without it. */
  readonly isBranch?: boolean
}

/** The last block that a node did not get past. */
export interface ObstacleNote {
  /** Notes a block that could not be obtained or imported. */
  onFailure(obstacle: Obstacle): void
  /** The block, unless the chain has passed it or nothing failed for a while. */
  current(head: bigint): Obstacle | undefined
}

/** Milliseconds after which a failure counts no more: who claimed the block has not come again. */
const lasts = 300_000

/** Nothing has failed yet. What a peer claims once does not count forever, because peers may lie. */
export function createObstacleNote(clock: Clock, log: Logger): ObstacleNote {
  let last: (Obstacle & { readonly at: number }) | undefined
  return {
    onFailure(obstacle) {
      const { block, highest, reason } = obstacle
      if (last?.block !== block || last.reason !== reason)
        log.warn(
          { number: Number(block), highest: Number(highest), reason },
          'cannot get past block #{number}: {reason}',
        )
      last = { ...obstacle, at: clock.now() }
    },
    current(head) {
      if (last && ((head >= last.block && !last.isBranch) || clock.now() - last.at > lasts)) last = undefined
      return last
    },
  }
}
