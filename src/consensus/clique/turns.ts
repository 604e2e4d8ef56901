import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes } from '../../primitives/bytes.ts'
import { indexOfValidator, majorityOf } from '../voting/tally.ts'

/** Weight of a block that its signer made when it was its turn, and of one made in another's place. */
export const inTurn = 2n
export const outOfTurn = 1n

/** The difficulty of a signer's block at a height; undefined when it is none of the signers. */
export function cliqueDifficulty(number: bigint, signer: Address, signers: readonly Address[]): bigint | undefined {
  const index = indexOfValidator(signers, signer)
  if (index < 0) return undefined
  return number % BigInt(signers.length) === BigInt(index) ? inTurn : outOfTurn
}

/**
 * The block for whose sake a signer must let others make the one after `parent`: nobody signs twice among as many blocks
 * as are a majority of the signers.
 */
export function findRecentBlock(
  parent: HashedHeader,
  signer: Address,
  signers: number,
  chain: Pick<ChainView, 'headerBy'>,
  signerOf: (block: HashedHeader) => Address,
): HashedHeader | undefined {
  let at = parent
  for (let left = majorityOf(signers) - 1; left > 0 && at.header.number > 0n; left--) {
    if (equalBytes(signerOf(at), signer)) return at
    at = chain.headerBy(at.header.parentHash)!
  }
  return undefined
}
