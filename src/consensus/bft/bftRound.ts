import { type Address, equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import type { OwnMessage } from './bftRecord.ts'
import type { BftCrypto } from './machine.ts'
import type { MessageRules } from './messageRules.ts'
import type { BftKind, CommitPayload, DigestPayload, PreparedBlock, Signed } from './messages.ts'
import { commitHashAt, type ProposedBlock } from './proposedBlock.ts'
import type { BftProtocol } from './protocol.ts'

/** The proposal that this validator accepted in a round. */
export interface AcceptedProposal {
  readonly block: ProposedBlock
  /** Only in IBFT 2.0, whose prepared certificates contain it. */
  readonly signed: Signed<DigestPayload> | undefined
  /** The hash that commit seals of this round sign. */
  readonly sealHash: Hash32
}

/** State of the round in progress. */
export interface BftRound {
  readonly number: number
  proposal: AcceptedProposal | undefined
  /** The digest that this validator voted for; it votes for no other one in this round. */
  voted: Hash32 | undefined
  /** Messages that this validator signed in this round. */
  readonly own: Map<BftKind, OwnMessage>
  /** Prepares that match the proposal, by author. */
  readonly prepares: Map<string, Signed<DigestPayload>>
  /** Commit seals by author, in order of arrival. */
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

/** Sets the round's only proposal. */
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

/** Counts a prepare if it matches the proposal. */
export function countPrepare(
  round: BftRound,
  { author, payload, bytes }: Signed<DigestPayload>,
  rules: MessageRules,
): void {
  const { proposal, number, isPrepared } = round
  if (!proposal || isPrepared || !rules.mayPrepare(author, number)) return
  if (equalBytes(payload.digest, proposal.block.digest)) round.prepares.set(keyOf(author), { author, payload, bytes })
}

/** Counts a commit if it matches the proposal and its author made the seal. */
export function countCommit(
  round: BftRound,
  { author, payload }: Signed<CommitPayload>,
  crypto: Pick<BftCrypto, 'recover'>,
): void {
  const { proposal, isCommitted } = round
  if (!proposal || isCommitted || !equalBytes(payload.digest, proposal.block.digest)) return
  const sealer: Address | undefined = crypto.recover(proposal.sealHash, payload.seal)
  if (sealer && equalBytes(sealer, author)) round.seals.set(keyOf(author), payload.seal)
}

/** The prepared block of a round with its certificate. */
export function preparedIn({ number, prepares }: BftRound, { block, signed }: AcceptedProposal): PreparedBlock {
  const certificate = { round: number, digest: block.digest, proposal: signed, prepares: [...prepares.values()] }
  return { block, certificate }
}
