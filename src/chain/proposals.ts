import type { BlockOutcome } from '../execution/applyBlock.ts'
import { type Hash32, keyOf } from '../primitives/bytes.ts'
import type { Body } from '../types/block.ts'
import type { HashedBlock } from './view.ts'

/** A block on the head that was made or verified: it need not be run again to be imported. */
export interface Proposal extends HashedBlock {
  readonly outcome: BlockOutcome
}

/** Rounds in which different blocks may be proposed for one height before the first is forgotten. */
const max = 8

/** Blocks that were run on the head and not written, by hash. */
export function createProposals() {
  const kept = new Map<string, Proposal>()
  return {
    find: (hash: Hash32): Proposal | undefined => kept.get(keyOf(hash)),
    keep(proposal: Proposal): void {
      kept.set(keyOf(proposal.hash), proposal)
      if (kept.size > max) kept.delete(kept.keys().next().value!)
    },
    /** The head changed: what was run on the one before is of no use. */
    clear: (): void => kept.clear(),
  }
}

/** Whether a body is the very one that was checked with the proposal, not merely one that claims the same hash. */
export function hasBodyOf(proposal: Proposal, body: Body): boolean {
  const { transactions, ommers, withdrawals } = proposal.block
  return body.transactions === transactions && body.ommers === ommers && body.withdrawals === withdrawals
}
