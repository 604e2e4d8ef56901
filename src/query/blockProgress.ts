import type { ChainView } from '../chain/view.ts'
import type { MovingState } from '../execution/tracing/movingState.ts'
import type { Block } from '../types/block.ts'
import type { StateChanges } from '../types/stateChanges.ts'

/** Remembers how far a block has been run: transactions of one block are often asked for one at a time. */
export interface BlockProgress {
  /**
   * The state before the transaction at `index`. It starts from `parentState`, or where the last call for the same block
   * came to; `run` runs the transactions from `start` to `index` and returns their changes.
   */
  stateBefore(
    chain: ChainView,
    block: Block,
    index: number,
    parentState: MovingState,
    run: (state: MovingState, start: number) => StateChanges,
  ): MovingState
}

export function createBlockProgress(): BlockProgress {
  let last: { chain: ChainView; block: Block; state: MovingState; index: number } | undefined
  return {
    stateBefore(chain, block, index, parentState, run) {
      const known = last?.chain === chain && last.block === block && last.index <= index ? last : undefined
      if (known?.index === index) return known.state
      const state = known?.state ?? parentState
      // Should this fail, the state has not moved.
      state.advance(run(state, known?.index ?? 0))
      last = { chain, block, state, index }
      return state
    },
  }
}
