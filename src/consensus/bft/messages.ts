import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { ProposedBlock } from './proposedBlock.ts'

/** The place in the protocol of which a message speaks. */
export interface BftView {
  readonly height: bigint
  readonly round: number
}

/** What a proposal, a prepare and a commit vote for. */
export interface DigestPayload extends BftView {
  /** The commit hash of the block as it was proposed. */
  readonly digest: Hash32
}

export interface CommitPayload extends DigestPayload {
  /** Goes into the block: it signs the commit hash of the block with this round in it. */
  readonly seal: Uint8Array
}

/** What an author of a round change says it had prepared. */
export interface PreparedClaim {
  readonly round: number
  readonly digest: Hash32
}

/** The proof of such a claim. */
export interface Certificate extends PreparedClaim {
  /** Only in IBFT 2.0, where the proposer's word stands for its prepare. */
  readonly proposal: Signed<DigestPayload> | undefined
  readonly prepares: readonly Signed<DigestPayload>[]
}

export interface RoundChangePayload extends BftView {
  readonly claim: PreparedClaim | undefined
}

/** A payload with the signature of its author. */
export interface Signed<P> {
  readonly payload: P
  readonly author: Address
  /** As on the wire: payload and signature. */
  readonly bytes: Uint8Array
}

export interface ProposalMessage {
  readonly kind: 'proposal'
  readonly signed: Signed<DigestPayload>
  readonly block: ProposedBlock
  /** Why there is a proposal in this round; none in round 0. */
  readonly roundChanges: readonly Signed<RoundChangePayload>[]
  /** Those of all claims in IBFT 2.0, that of the latest one in QBFT. */
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

/** A block that was prepared here, and the proof. */
export interface Prepared {
  readonly block: ProposedBlock
  readonly certificate: Certificate
}

/** What reading a message takes beside its bytes. Both throw on what is not right. */
export interface BftReader {
  author(digest: Hash32, signature: Uint8Array): Address
  block(bytes: Uint8Array): ProposedBlock
}
