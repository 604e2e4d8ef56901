import { PastError } from '../chain/takeOver/fault.ts'
import type { ChainView, HashedHeader } from '../chain/view.ts'
import { StateError } from '../state/fault.ts'
import type { StateView } from '../state/view.ts'

/** State after a block; undefined where it is not kept: off the canonical chain, or pruned. Throws a PastError while a state is being taken over. */
export function findState(chain: ChainView, { header, hash }: HashedHeader): StateView | undefined {
  if (chain.isJoining) throw new PastError({ code: 'STATE_NOT_HERE' })
  if (hash !== chain.head.hash && !chain.isCanonical(hash)) return undefined
  try {
    return chain.stateAt(header.number)
  } catch (error) {
    if (error instanceof StateError) return undefined
    throw error
  }
}
