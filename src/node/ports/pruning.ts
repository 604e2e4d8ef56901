import type { Chain } from '../../chain/chain.ts'
import type { Clock } from '../../system/clock.ts'

/** Blocks that are pruned in one transaction: one for each block would cost more than it frees. */
const batch = 64

/** Prunes states more than `keep` blocks behind the head, in batches; 0 keeps all. Returns a function that stops it. */
export function startPruning(chain: Pick<Chain, 'onHead' | 'prune'>, keep: number, clock: Clock): () => void {
  if (keep === 0) return () => {}
  let done = 0
  let cancel: (() => void) | undefined
  const stop = chain.onHead(({ head }) => {
    const floor = Number(head.header.number) - keep
    if (floor < done + batch || cancel) return
    // Not in the head event itself: the other listeners go first.
    cancel = clock.after(0, () => {
      cancel = undefined
      done = floor
      chain.prune(floor)
    })
  })
  return () => {
    stop()
    cancel?.()
  }
}
