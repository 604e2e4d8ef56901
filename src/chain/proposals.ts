import { type Hash32, keyOf } from '../primitives/bytes.ts'
import { createRecentMap } from '../primitives/recentMap.ts'
import type { Body } from '../types/block.ts'
import type { ExecutedBlock } from './blockRunner.ts'

/** Blocks that were run on the head and are not written yet: their import need not run them again. */
export interface Proposals {
  find(hash: Hash32): ExecutedBlock | undefined
  keep(proposal: ExecutedBlock): void
  /** The head changed: nothing can be built on the old one any more. */
  clear(): void
}

/** Rounds in which different blocks may be proposed for one height before the first is forgotten. */
const max = 8

/** No proposals yet. */
export function createProposals(): Proposals {
  const kept = createRecentMap<string, ExecutedBlock>(max)
  return {
    find: (hash) => kept.get(keyOf(hash)),
    keep: (proposal) => kept.set(keyOf(proposal.hash), proposal),
    clear: kept.clear,
  }
}

/** Whether a body is the very one that was checked with the proposal, not merely one that claims the same hash. */
export function hasBodyOf(proposal: ExecutedBlock, body: Body): boolean {
  const { transactions, ommers, withdrawals } = proposal.block
  return body.transactions === transactions && body.ommers === ommers && body.withdrawals === withdrawals
}
