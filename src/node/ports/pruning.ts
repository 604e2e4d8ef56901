import type { Chain } from '../../chain/chain.ts'
import type { HeadEvent } from '../../chain/events.ts'
import { createSlices } from '../../chain/rebuild/slices.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'

/** Blocks that come before states or blocks are deleted again: to do it for each one would cost more than it frees. */
const batch = 64
/** Milliseconds that the chain waits for it at a time. */
const sliceTime = 10

/** Blocks behind the head of which something is kept; 0 keeps all. */
export interface Kept {
  readonly states: number
  readonly blocks: number
}

export interface PruningParts {
  readonly chain: Pick<Chain, 'onHead' | 'prune' | 'pruneBlocks'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'error'>
}

/** Deletes states and blocks that are not kept, a little at a time. Returns a function that stops it. */
export function startPruning({ chain, clock, log }: PruningParts, kept: Kept): () => void {
  const stops = [
    follow(kept.states, (before, goOn) => chain.prune(before, goOn)),
    follow(kept.blocks, (before, goOn) => chain.pruneBlocks(before, goOn)),
  ]

  function follow(keep: number, prune: (before: number, goOn: () => boolean) => boolean): () => void {
    if (keep === 0) return () => {}
    const slices = createSlices(clock, sliceTime)
    let done = 0
    let isBusy = false
    const end = () => {
      isBusy = false
    }
    const onHead = ({ head }: HeadEvent): void => {
      const before = Number(head.header.number) - keep
      if (before < done + batch || isBusy) return
      isBusy = true
      done = before
      // Not in the head event itself: the other listeners go first.
      slices.run(
        (goOn) => prune(before, goOn),
        end,
        (error) => {
          end()
          log.error({ error: String(error) }, 'old states or blocks could not be deleted; tried again later')
        },
      )
    }
    const unsubscribe = chain.onHead(onHead)
    return () => {
      unsubscribe()
      slices.stop()
    }
  }

  return () => {
    for (const stop of stops) stop()
  }
}
