import type { ChainView, HashedHeader } from '../../chain/view.ts'
import type { ShownHeader } from '../objects/header.ts'

/** Returns a header with everything that its JSON object contains. */
export function showHeader(chain: ChainView, { header, hash }: HashedHeader): ShownHeader {
  return { header, hash, totalDifficulty: chain.totalDifficulty(hash) ?? 0n }
}
