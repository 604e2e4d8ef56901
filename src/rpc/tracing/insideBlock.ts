import type { ChainView, HashedBlock } from '../../chain/view.ts'
import type { Evm } from '../../evm/evm.ts'
import { runBetween } from '../../execution/tracing/traceTxs.ts'
import type { Evms } from '../../query/evms.ts'
import { findState } from '../../query/findState.ts'
import { hostOf } from '../../query/trialEvm.ts'
import type { StateView } from '../../state/view.ts'
import { replayContext } from './replay.ts'

/** Runs the first `count` transactions of a block and looks at the state then; undefined where the state before is not kept. */
export function runFirst<T>(
  evms: Evms,
  chain: ChainView,
  { header, block }: HashedBlock,
  count: number,
  look: (evm: Evm, parentState: StateView) => T,
): T | undefined {
  const parent = chain.parentOf(header)
  const state = parent && findState(chain, parent)
  if (!state) return undefined
  return evms.fast.apart(hostOf({ chain, state }), (evm) => {
    runBetween(evm, block, replayContext(evms, chain, header), 0, count)
    return look(evm, state)
  })
}
