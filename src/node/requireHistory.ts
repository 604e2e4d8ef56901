import type { ChainView } from '../chain/view.ts'
import { StateError } from '../state/fault.ts'
import { PrivacyHistoryError } from './fault.ts'

/** Throws if the state of the block where private execution goes on is not here, which private code may read, or blocks after it are not. */
export function requireHistory(chain: ChainView, executed: number): void {
  const { past } = chain
  if (past && executed + 1 < past.first)
    throw new PrivacyHistoryError({ code: 'HISTORY_PRUNED', block: executed + 1, floor: past.first })
  try {
    chain.stateAt(BigInt(executed))
  } catch (error) {
    if (!(error instanceof StateError) || error.at.code !== 'STATE_PRUNED') throw error
    throw new PrivacyHistoryError({ code: 'HISTORY_PRUNED', block: executed + 1, floor: error.at.floor }, error)
  }
}
