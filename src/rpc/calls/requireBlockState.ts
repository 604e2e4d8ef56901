import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { findState } from '../../query/findState.ts'
import type { BlockState } from '../../query/trialEvm.ts'
import { RpcError } from '../protocol/fault.ts'

/** The state after a block; an error where it is not kept. */
export function requireBlockState(chain: ChainView, at: HashedHeader): BlockState {
  const state = findState(chain, at)
  if (!state) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
  return { chain, at, state }
}
