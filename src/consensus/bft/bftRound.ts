import { type Address, equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import type { OwnMessage } from './bftRecord.ts'
import type { BftCrypto } from './machine.ts'
import type { MessageRules } from './messageRules.ts'
import type { BftKind, CommitPayload, DigestPayload, Prepared, Signed } from './messages.ts'
import { commitHashAt, type ProposedBlock } from './proposedBlock.ts'
import type { BftProtocol } from './protocol.ts'

/** The proposal that a round is about. */
export interface AcceptedProposal {
  readonly block: ProposedBlock
  /** Only in IBFT 2.0, whose certificates need it. */
  readonly signed: Signed<DigestPayload> | undefined
  /** What committers of this round sign. */
  readonly sealHash: Hash32
}

/** What is known of the round in progress. */
export interface BftRound {
  readonly number: number
  proposal: AcceptedProposal | undefined
  /** The digest that this validator has voted for; it votes for no other in this round. */
  voted: Hash32 | undefined
  /** What this validator has signed in this round. */
  readonly own: Map<BftKind, OwnMessage>
  /** By author, of those that agree with the proposal. */
  readonly prepares: Map<string, Signed<DigestPayload>>
  /** By author, in the order of arrival. */
  readonly seals: Map<string, Uint8Array>
  isPrepared: boolean
  isCommitted: boolean
}

export function createBftRound(number: number): BftRound {
  return {
    number,
    proposal: undefined,
    voted: undefined,
    own: new Map(),
    prepares: new Map(),
    seals: new Map(),
    isPrepared: false,
    isCommitted: false,
  }
}

/** Makes a round one about this block, and no other. */
export function setProposal(
  round: BftRound,
  { codec, proposerPrepares }: BftProtocol,
  block: ProposedBlock,
  signed: Signed<DigestPayload> | undefined,
): void {
  const sealHash = commitHashAt(codec, block, round.number)
  round.proposal = { block, signed: proposerPrepares ? undefined : signed, sealHash }
  round.voted = block.digest
}

/** Counts a prepare if it agrees with the proposal. */
export function countPrepare(
  round: BftRound,
  { author, payload, bytes }: Signed<DigestPayload>,
  rules: MessageRules,
): void {
  const { proposal, number, isPrepared } = round
  if (!proposal || isPrepared || !rules.mayPrepare(author, number)) return
  if (equalBytes(payload.digest, proposal.block.digest)) round.prepares.set(keyOf(author), { author, payload, bytes })
}

/** Counts a commit if it agrees with the proposal and its seal is the author's. */
export function countCommit(round: BftRound, { author, payload }: Signed<CommitPayload>, crypto: BftCrypto): void {
  const { proposal, isCommitted } = round
  if (!proposal || isCommitted || !equalBytes(payload.digest, proposal.block.digest)) return
  const sealer: Address | undefined = crypto.recover(proposal.sealHash, payload.seal)
  if (sealer && equalBytes(sealer, author)) round.seals.set(keyOf(author), payload.seal)
}

/** What the prepares of a round prove. */
export function preparedIn({ number, prepares }: BftRound, { block, signed }: AcceptedProposal): Prepared {
  const certificate = { round: number, digest: block.digest, proposal: signed, prepares: [...prepares.values()] }
  return { block, certificate }
}
