import type { ChainView } from '../chain/view.ts'
import { StateError } from '../state/fault.ts'
import { PrivacyHistoryError } from './fault.ts'

/** Throws if the state of the block where private execution goes on was pruned: private code may read it. */
export function requireHistory(chain: ChainView, executed: number): void {
  try {
    chain.stateAt(BigInt(executed))
  } catch (error) {
    if (!(error instanceof StateError) || error.at.code !== 'STATE_PRUNED') throw error
    throw new PrivacyHistoryError({ code: 'HISTORY_PRUNED', block: executed + 1, floor: error.at.floor }, error)
  }
}
