import type { Chain } from '../../chain/chain.ts'
import type { Clock } from '../../primitives/clock.ts'
import type { StateStore } from '../../state/stateStore.ts'
import type { Store } from '../../store/openStore.ts'

/** Blocks that are pruned together: one transaction for each would cost more than it frees. */
const batch = 64

/** Forgets states that lie more than `keep` blocks behind the head, from time to time; 0 keeps all. Gives a way to stop. */
export function startPruning(chain: Chain, store: Store, states: StateStore, keep: number, clock: Clock): () => void {
  if (keep === 0) return () => {}
  let done = 0
  let cancel: (() => void) | undefined
  const stop = chain.onHead(({ head }) => {
    const floor = Number(head.header.number) - keep
    if (floor < done + batch || cancel) return
    // Not in the head event itself: whoever waits for the block goes first.
    cancel = clock.after(0, () => {
      cancel = undefined
      done = floor
      store.write((txn) => states.prune(txn, floor))
    })
  })
  return () => {
    stop()
    cancel?.()
  }
}
