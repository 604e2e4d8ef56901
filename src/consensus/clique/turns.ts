import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes } from '../../primitives/bytes.ts'
import { indexOfValidator, majorityOf } from '../voting/tally.ts'

/** Difficulty of an in-turn block, and of an out-of-turn block below. */
export const inTurn = 2n
export const outOfTurn = 1n

/** The difficulty of a signer's block at a height; undefined if the account is not a signer. */
export function cliqueDifficulty(number: bigint, signer: Address, signers: readonly Address[]): bigint | undefined {
  const index = indexOfValidator(signers, signer)
  if (index < 0) return undefined
  return number % BigInt(signers.length) === BigInt(index) ? inTurn : outOfTurn
}

/**
 * The recent block because of which a signer may not sign the one after `parent`; undefined if it may. Among as many
 * consecutive blocks as make a majority of the signers, nobody signs twice.
 */
export function findRecentBlock(
  parent: HashedHeader,
  signer: Address,
  signers: number,
  chain: Pick<ChainView, 'parentOf'>,
  signerOf: (block: HashedHeader) => Address,
): HashedHeader | undefined {
  let at = parent
  for (let left = majorityOf(signers) - 1; left > 0 && at.header.number > 0n; left--) {
    if (equalBytes(signerOf(at), signer)) return at
    at = chain.parentOf(at.header)!
  }
  return undefined
}
