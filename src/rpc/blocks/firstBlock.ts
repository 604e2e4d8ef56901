import type { ChainView } from '../../chain/view.ts'
import { findState } from '../../query/findState.ts'
import type { StateView } from '../../state/view.ts'
import { RpcError } from '../protocol/fault.ts'

/**
 * The first block after which something is true that stays true from then on, found in a few reads of old states. Undefined
 * if it is not true now, or already was after the genesis block; throws where pruning removed the states that would show it.
 */
export function firstBlockWith(chain: ChainView, isTrue: (state: StateView) => boolean): bigint | undefined {
  const holds = (number: bigint) => {
    const state = findState(chain, chain.headerAt(number)!)
    return state && isTrue(state)
  }
  let after = chain.head.header.number
  if (!holds(after)) return undefined
  let before = -1n
  while (after - before > 1n) {
    const middle = (before + after) / 2n
    if (holds(middle)) after = middle
    else before = middle
  }
  if (after === 0n) return undefined
  if (holds(after - 1n) === undefined) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
  return after
}
