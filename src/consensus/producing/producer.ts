import type { Address } from '../../primitives/bytes.ts'

/** An RLPx sub-protocol between validators. */
export interface WireProtocol {
  readonly name: string
  readonly version: number
  /** Number of message codes. */
  readonly length: number
}

/** How far validators have come with the block in progress. */
export interface RoundStatus {
  readonly height: bigint
  /** The round in progress, −1 before the first. */
  readonly round: number
  /** Validators that must agree. */
  readonly quorum: number
  /** The validators that have reached the round in progress, as far as this one knows; itself among them. */
  heard(): readonly Address[]
}

/** A proposal that this validator found invalid. */
export interface ProposalFlaw {
  readonly proposer: Address
  readonly reason: string
  /** Seconds by which it is ahead of this node's clock, if that is what is wrong with it. */
  readonly secondsAhead: number | undefined
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What a validator knows of proposers that cost the network blocks. */
export interface ProposerReport {
  /** Those whose turns are passed over because they are silent. */
  readonly silent: readonly Address[]
  /** The last flaw of each proposer. */
  readonly flaws: readonly ProposalFlaw[]
}

/** Makes this node's blocks. */
export interface Producer {
  /** Sub-protocols to offer to peers. */
  readonly protocols: readonly WireProtocol[]
  isRunning(): boolean
  start(): void
  stop(): void
  /** Handles a message of one of the protocols; `from` is the address of the peer's node key. */
  receive?(protocol: string, code: number, data: Uint8Array, from: Address): void
  /** A peer that speaks one of the protocols has connected. */
  onLink?(address: Address): void
  /** Nothing connects this node to a peer any more that speaks one of the protocols. */
  onUnlink?(address: Address): void
  /** Undefined where blocks are made without rounds, or while this node is not one of the validators. */
  roundStatus?(): RoundStatus | undefined
  /** Absent where blocks are made without rounds. */
  proposers?(): ProposerReport
}
