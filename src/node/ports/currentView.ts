import type { Chain } from '../../chain/chain.ts'
import type { HeadEvent } from '../../chain/events.ts'
import type { ChainView } from '../../chain/view.ts'
import { createRecentBlocks, rememberingView } from '../../query/recentBlocks.ts'
import type { Clock } from '../../system/clock.ts'

/** Milliseconds after which a replaced view is closed even if an answer still uses it. */
const grace = 30_000
/** Milliseconds that a view lasts while blocks before the head are coming. */
const pastTime = 1000
/** Maximum of replaced views that stay open: each uses a reader slot of LMDB, and blocks may follow each other quickly. */
const maxRetired = 256

/** One shared view of the chain as of the last commit, replaced with each head; recently read blocks stay decoded. */
export interface CurrentView {
  get(): ChainView
  /**
   * Keeps the current view, and those after it, open until the returned function is called, when the answer is sent.
   * Views must not stay open for long: the store cannot reuse the pages that they see, and grows.
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

/** The chain that a view is of. */
export interface ViewedChain extends Pick<Chain, 'openView'> {
  /** Calls the listener after each head, with the blocks that are worth being kept decoded. */
  onHead(listener: (event: Pick<HeadEvent, 'added'>) => void): () => void
}

export function createCurrentView(chain: ViewedChain, clock: Clock): CurrentView {
  const recent = createRecentBlocks()
  /** Undefined until it is asked for: a view that nobody uses must not keep pages from being reused. */
  let view: ChainView | undefined
  /** Number of views that were replaced, by a head or because the store asked for them. */
  let turn = 0
  const retired: Retired[] = []
  /** Number of unfinished answers by the turn in which they began, the earliest first. */
  const underWay = new Map<number, number>()

  function endOldest(): void {
    const { view: old, cancel } = retired.shift()!
    cancel()
    old.close()
  }

  /** Closes the views that were replaced before the earliest unfinished answer began. */
  function endUnused(): void {
    const earliest: number = underWay.keys().next().value ?? turn
    while (retired.length > 0 && retired[0]!.turn < earliest) endOldest()
  }

  function giveUp(last: number): void {
    for (const begun of underWay.keys()) if (begun <= last) underWay.delete(begun)
    endUnused()
  }

  const stop = chain.onHead(({ added }) => {
    // Clients that read the last head will read this one.
    if (view) for (const block of added) recent.put(block)
    retire()
  })

  function open(): ChainView {
    const opened = rememberingView(chain.openView(retire), recent)
    const { past } = opened
    // Blocks before the head that come without a new head: on a chain that stands still nobody else would ask for another view.
    if (past && past.first > past.wanted)
      clock.after(pastTime, () => {
        if (view === opened) retire()
      })
    return opened
  }

  function retire(): void {
    const last = turn++
    if (!view) return
    retired.push({ view, turn: last, cancel: clock.after(grace, () => giveUp(last)) })
    view = undefined
    if (retired.length > maxRetired) endOldest()
    endUnused()
  }

  return {
    get: () => (view ??= open()),
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
