import { BlockError } from '../../execution/fault.ts'
import { type Address, equalBytes, zeroAddress } from '../../primitives/bytes.ts'
import { fieldOfEncodedHeader, type Header } from '../../types/header.ts'
import type { Vote } from '../voting/tally.ts'
import type { ProposedVote } from '../voting/votes.ts'

const addNonce = new Uint8Array(8).fill(0xff)
const dropNonce = new Uint8Array(8)

/** Whether the header's nonce votes to add a signer; throws on any nonce but Clique's two. */
export function isAddVote({ nonce }: Header): boolean {
  if (equalBytes(nonce, addNonce)) return true
  if (equalBytes(nonce, dropNonce)) return false
  throw new BlockError({ code: 'VOTE_UNKNOWN' })
}

/** Header fields that carry a vote. Without one both are zero, which every client reads as no vote. */
export function cliqueVoteFields(vote: ProposedVote | undefined): Pick<Header, 'beneficiary' | 'nonce'> {
  if (!vote) return { beneficiary: zeroAddress, nonce: dropNonce }
  return { beneficiary: vote.subject, nonce: vote.add ? addNonce : dropNonce }
}

/** Whether an encoded header has a vote. */
export function hasCliqueVote(encodedHeader: Uint8Array): boolean {
  return !equalBytes(fieldOfEncodedHeader(encodedHeader, 'beneficiary'), zeroAddress)
}

/** The vote in a header: the beneficiary is the subject, the nonce says add or drop. Undefined for the zero address. */
export function cliqueVoteIn(header: Header, signer: () => Address): Vote | undefined {
  const subject = header.beneficiary
  if (equalBytes(subject, zeroAddress)) return undefined
  return { proposer: signer(), subject, add: isAddVote(header) }
}
