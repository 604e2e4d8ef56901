import type { Chain } from '../chain/chain.ts'
import type { ChainView } from '../chain/view.ts'
import type { Clock } from '../primitives/clock.ts'

/** Milliseconds for which a view that is no longer current stays open: answers that are under way still read it. */
const grace = 30_000

/** The chain as of the last commit: one shared view, replaced when the head changes. */
export interface CurrentView {
  get(): ChainView
  close(): void
}

export function createCurrentView(chain: Pick<Chain, 'view' | 'onHead'>, clock: Clock): CurrentView {
  let view = chain.view()
  const retired = new Map<ChainView, () => void>()

  function retire(old: ChainView): void {
    const cancel = clock.after(grace, () => {
      retired.delete(old)
      old.close()
    })
    retired.set(old, cancel)
  }

  const stop = chain.onHead(() => {
    retire(view)
    view = chain.view()
  })

  return {
    get: () => view,
    close() {
      stop()
      view.close()
      for (const [old, cancel] of retired) {
        cancel()
        old.close()
      }
      retired.clear()
    },
  }
}
