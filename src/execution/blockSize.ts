import type { Rules } from '../forks/rules.ts'
import { type Block, blockSize } from '../types/block.ts'
import { BlockError } from './fault.ts'

/**
 * Bytes of a block that this node makes, on forks that have no limit of their own: it fits into every message with what is sent
 * beside it, also into those of 10 MiB to which Besu and geth limit themselves.
 */
const maxMade = 8 << 20
/**
 * Bytes of a block that other validators propose: what a message of 16 MiB carries beside the certificates of a round change. Blocks
 * that are decided already may be larger, because Besu has no limit before Osaka.
 */
const maxProposed = 15 << 20
/** Bytes of what a draft's header does not have yet, and of longer prefixes: numbers, and roots that only some forks have. */
const unfilled = 1024

/** Bytes that the encoding of a block made here may have. */
export function maxMadeSize({ maxBlockSize }: Rules): number {
  return Math.min(maxBlockSize ?? maxMade, maxMade)
}

/** Bytes that the transactions of a draft may take, if its seals will take `sealSize`. */
export function roomForTransactions(draft: Block, rules: Rules, sealSize: number): number {
  return maxMadeSize(rules) - blockSize(draft) - sealSize - unfilled
}

function check(block: Block, limit: number, more = 0): void {
  const have = blockSize(block) + more
  if (have > limit) throw new BlockError({ code: 'BLOCK_TOO_LARGE', have, limit })
}

/** Whether a block has the size that its fork allows (EIP-7934). */
export function checkBlockSize(block: Block, { maxBlockSize }: Rules): void {
  if (maxBlockSize !== undefined) check(block, maxBlockSize)
}

/** Whether a block that this node has made may be proposed, sealed or written. */
export function checkMadeSize(block: Block, rules: Rules): void {
  check(block, maxMadeSize(rules))
}

/** Whether a proposal can be sent to others, and is valid also with the seals that it has yet to get. */
export function checkProposalSize(block: Block, { maxBlockSize }: Rules, sealSize: number): void {
  check(block, Math.min(maxBlockSize ?? maxProposed, maxProposed), sealSize)
}
