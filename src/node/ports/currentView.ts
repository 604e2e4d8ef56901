import type { Chain } from '../../chain/chain.ts'
import type { ChainView } from '../../chain/view.ts'
import type { Clock } from '../../primitives/clock.ts'
import { createRecentBlocks, rememberingView } from '../../query/recentBlocks.ts'

/** Milliseconds after which a view that is no longer current is closed in any case. */
const grace = 30_000
/** Old views that stay open at most: each takes one of LMDB's readers, and blocks may follow each other quickly. */
const maxRetired = 256

/** The chain as of the last commit: one shared view, replaced when the head changes; blocks that were read stay decoded. */
export interface CurrentView {
  get(): ChainView
  /**
   * Keeps the view that is current, and those after it, open until the answer that is begun here is given: the function
   * that comes back is called then. Pages that an open view sees cannot be used again, so that the store grows.
   */
  hold(): () => void
  close(): void
}

/** A view that a new head has replaced. */
interface Retired {
  readonly view: ChainView
  readonly turn: number
  readonly cancel: () => void
}

export function createCurrentView(chain: Pick<Chain, 'view' | 'onHead'>, clock: Clock): CurrentView {
  const recent = createRecentBlocks()
  /** Undefined until someone asks: blocks that nobody looks at must not hold back the reuse of pages. */
  let view: ChainView | undefined
  /** Rises with each head. */
  let turn = 0
  const retired: Retired[] = []
  /** How many answers are under way, by the turn in which they were begun; the earliest first. */
  const underWay = new Map<number, number>()

  function endOldest(): void {
    const { view: old, cancel } = retired.shift()!
    cancel()
    old.close()
  }

  /** An answer may use whatever was current since it was begun. */
  function endUnused(): void {
    const earliest: number = underWay.keys().next().value ?? turn
    while (retired.length > 0 && retired[0]!.turn < earliest) endOldest()
  }

  function giveUp(last: number): void {
    for (const begun of underWay.keys()) if (begun <= last) underWay.delete(begun)
    endUnused()
  }

  const stop = chain.onHead(({ added }) => {
    const last = turn++
    if (!view) return
    // Who looked at the last head will look at this one.
    for (const block of added) recent.put(block)
    retired.push({ view, turn: last, cancel: clock.after(grace, () => giveUp(last)) })
    view = undefined
    if (retired.length > maxRetired) endOldest()
    endUnused()
  })

  return {
    get: () => (view ??= rememberingView(chain.view(), recent)),
    hold() {
      const begun = turn
      underWay.set(begun, (underWay.get(begun) ?? 0) + 1)
      return () => {
        const left = (underWay.get(begun) ?? 0) - 1
        if (left > 0) underWay.set(begun, left)
        else if (underWay.delete(begun)) endUnused()
      }
    },
    close() {
      stop()
      view?.close()
      while (retired.length > 0) endOldest()
    },
  }
}
