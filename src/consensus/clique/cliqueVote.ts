import { BlockError } from '../../execution/fault.ts'
import { type Address, equalBytes, zeroAddress } from '../../primitives/bytes.ts'
import type { Header } from '../../types/header.ts'
import type { Vote } from '../voting/tally.ts'
import type { Wish } from '../voting/votes.ts'

const addNonce = new Uint8Array(8).fill(0xff)
const dropNonce = new Uint8Array(8)

/** Whether a header's nonce is one of the two that Clique knows, and which. */
export function isAddVote({ nonce }: Header): boolean {
  if (equalBytes(nonce, addNonce)) return true
  if (equalBytes(nonce, dropNonce)) return false
  throw new BlockError({ code: 'VOTE_UNKNOWN' })
}

/** How a header carries a wish, or none: only without one is its nonce zero for all who read it. */
export function cliqueVoteFields(wish: Wish | undefined): Pick<Header, 'beneficiary' | 'nonce'> {
  if (!wish) return { beneficiary: zeroAddress, nonce: dropNonce }
  return { beneficiary: wish.subject, nonce: wish.add ? addNonce : dropNonce }
}

/** The vote in a header: its beneficiary is the subject, its nonce the word; the zero address is no subject. */
export function cliqueVoteIn(header: Header, signer: () => Address): Vote | undefined {
  const subject = header.beneficiary
  if (equalBytes(subject, zeroAddress)) return undefined
  return { proposer: signer(), subject, add: isAddVote(header) }
}
