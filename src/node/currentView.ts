import type { Chain } from '../chain/chain.ts'
import type { ChainView } from '../chain/view.ts'
import type { Clock } from '../primitives/clock.ts'
import { createRecentBlocks, rememberingView } from '../query/recentBlocks.ts'

/** Milliseconds for which a view that is no longer current stays open: answers that are under way still read it. */
const grace = 30_000
/** Old views that stay open at most: each takes one of LMDB's readers, and blocks may follow each other quickly. */
const mostRetired = 256

/** The chain as of the last commit: one shared view, replaced when the head changes; blocks that were read stay decoded. */
export interface CurrentView {
  get(): ChainView
  close(): void
}

export function createCurrentView(chain: Pick<Chain, 'view' | 'onHead'>, clock: Clock): CurrentView {
  const recent = createRecentBlocks()
  /** Undefined until someone asks: blocks that nobody looks at must not hold back the reuse of pages. */
  let view: ChainView | undefined
  const retired = new Map<ChainView, () => void>()

  function end(old: ChainView): void {
    retired.get(old)?.()
    retired.delete(old)
    old.close()
  }

  function retire(old: ChainView): void {
    retired.set(
      old,
      clock.after(grace, () => end(old)),
    )
    if (retired.size > mostRetired) end(retired.keys().next().value!)
  }

  const stop = chain.onHead(() => {
    if (view) retire(view)
    view = undefined
  })

  return {
    get: () => (view ??= rememberingView(chain.view(), recent)),
    close() {
      stop()
      view?.close()
      for (const old of [...retired.keys()]) end(old)
    },
  }
}
