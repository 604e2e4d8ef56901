import type { Chain } from '../chain/chain.ts'
import type { ChainView, HashedHeader } from '../chain/view.ts'

/** Asks the chain as it is now. */
export function askChain<T>(chain: Chain, ask: (view: ChainView) => T): T {
  const view = chain.view()
  try {
    return ask(view)
  } finally {
    view.close()
  }
}

export function headOf(chain: Chain): HashedHeader {
  return askChain(chain, ({ head }) => head)
}
