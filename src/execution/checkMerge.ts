import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Header } from '../types/header.ts'
import { BlockError } from './fault.ts'

/** Whether the block is on the right side of the merge, which happens once the chain has a certain total difficulty. */
export function checkMerge(
  header: Header,
  parentTotalDifficulty: bigint,
  { terminalTotalDifficulty }: Pick<ChainSpec, 'terminalTotalDifficulty'>,
): void {
  if (terminalTotalDifficulty === undefined) return
  const merged = parentTotalDifficulty >= terminalTotalDifficulty
  if (merged && header.difficulty !== 0n) throw new BlockError({ code: 'PROOF_OF_WORK_AFTER_MERGE' })
  if (!merged && header.difficulty === 0n) throw new BlockError({ code: 'PROOF_OF_STAKE_BEFORE_MERGE' })
}
