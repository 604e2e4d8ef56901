import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { ProposedBlock } from './proposedBlock.ts'

/** Height and round of a message. */
export interface BftView {
  readonly height: bigint
  readonly round: number
}

/** Payload of a proposal, prepare or commit: the block that it votes for. */
export interface DigestPayload extends BftView {
  /** The commit hash of the proposed block. */
  readonly digest: Hash32
}

export interface CommitPayload extends DigestPayload {
  /** Commit seal for the block: signature on the commit hash of the block with this round in it. */
  readonly seal: Uint8Array
}

/** The prepared block that the author of a round change claims. */
export interface PreparedClaim {
  readonly round: number
  readonly digest: Hash32
}

/** A prepared certificate: the prepares that prove such a claim. */
export interface Certificate extends PreparedClaim {
  /** Only in IBFT 2.0, where the proposal counts as the proposer's prepare. */
  readonly proposal: Signed<DigestPayload> | undefined
  readonly prepares: readonly Signed<DigestPayload>[]
}

export interface RoundChangePayload extends BftView {
  readonly claim: PreparedClaim | undefined
}

/** A payload signed by its author. */
export interface Signed<P> {
  readonly payload: P
  readonly author: Address
  /** Encoding of payload and signature. */
  readonly bytes: Uint8Array
}

export interface ProposalMessage {
  readonly kind: 'proposal'
  readonly signed: Signed<DigestPayload>
  readonly block: ProposedBlock
  /** Round changes that justify the proposal; empty in round 0. */
  readonly roundChanges: readonly Signed<RoundChangePayload>[]
  /** Prepared certificates: of all claims in IBFT 2.0, of the latest claim in QBFT. */
  readonly certificates: readonly Certificate[]
}

export interface PrepareMessage {
  readonly kind: 'prepare'
  readonly signed: Signed<DigestPayload>
}

export interface CommitMessage {
  readonly kind: 'commit'
  readonly signed: Signed<CommitPayload>
}

export interface RoundChangeMessage {
  readonly kind: 'roundChange'
  readonly signed: Signed<RoundChangePayload>
  readonly block: ProposedBlock | undefined
  readonly certificate: Certificate | undefined
}

export type BftMessage = ProposalMessage | PrepareMessage | CommitMessage | RoundChangeMessage
export type BftKind = BftMessage['kind']

/** A block that this validator has seen prepared, with its certificate. */
export interface PreparedBlock {
  readonly block: ProposedBlock
  readonly certificate: Certificate
}

/** Decodes blocks and recovers signers in messages; both throw on invalid input. */
export interface BftReader {
  author(digest: Hash32, signature: Uint8Array): Address
  block(bytes: Uint8Array): ProposedBlock
  /** Signatures that a list may have: each costs time. */
  readonly maxListed: number
}
