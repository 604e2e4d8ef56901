import type { HashedHeader } from '../../chain/view.ts'
import type { BftMessageLimits, BftSettings } from '../../forks/consensusConfig.ts'
import type { ToSign } from '../../keys/nodeIdentity.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { Block, KnownTx } from '../../types/block.ts'
import type { RoundStatus } from '../producing/producer.ts'
import type { Due } from '../producing/timers.ts'
import type { CreateAttendance } from './attendance.ts'
import type { MessageRules, MessageRulesOptions } from './messageRules.ts'
import type { BftKind } from './messages.ts'
import type { ForeignWord } from './ownWords.ts'
import type { Pacemaker, PacemakerOptions } from './pacemaker.ts'
import type { SeenEncoding } from './peerEncodings.ts'
import type { BftProtocol } from './protocol.ts'
import type { MessageReading } from './readMessage.ts'

/** A timer that the machine asked for; timers of finished heights and rounds are ignored. */
export type BftTimer =
  | { readonly kind: 'block'; readonly height: bigint }
  | { readonly kind: 'round'; readonly height: bigint; readonly round: number }
  /** The proposer of a round was waited for as long as it is, which is less than the round may last. */
  | { readonly kind: 'turn'; readonly height: bigint; readonly round: number }

/** Input of the machine. */
export type BftEvent =
  /** The chain has a new head, from any source; the first one starts the machine. */
  | { readonly type: 'head'; readonly head: HashedHeader }
  /** A message from a peer, identified by the address of its node key. The code is relative to the sub-protocol. */
  | { readonly type: 'message'; readonly code: number; readonly data: Uint8Array; readonly from: Address | undefined }
  | { readonly type: 'timer'; readonly timer: BftTimer }
  /** A connection to a node has opened; it may have missed earlier messages. */
  | { readonly type: 'link'; readonly address: Address }
  /** The last connection to a node has closed. */
  | { readonly type: 'unlink'; readonly address: Address }
  /** What an effect asked to be signed was signed. */
  | { readonly type: 'signed'; readonly id: number; readonly signature: Uint8Array }

/** Why a message is not looked at. */
export interface Unreadable {
  /** Undefined for codes that no message has. */
  readonly kind: BftKind | undefined
  readonly reason: string
}

/** What is wrong with a block. */
export interface BlockFlaw {
  readonly reason: string
  /** Seconds by which it is in the future, by the clock of this node, where that is what is wrong. */
  readonly secondsAhead?: number
}

/** Output of the machine, to be performed in order. */
export type BftEffect =
  /** The record must be on disk before any later effect is performed. */
  | { readonly type: 'persist'; readonly record: Uint8Array }
  /** To be signed by a key that is elsewhere; the signature comes as an event, or never. */
  | { readonly type: 'sign'; readonly id: number; readonly what: ToSign }
  /** A message for all validators that are connected, or for one of them. */
  | { readonly type: 'send'; readonly code: number; readonly data: Uint8Array; readonly to?: Address }
  /** Another's message, for all validators that are connected but these. */
  | {
      readonly type: 'gossip'
      readonly code: number
      readonly data: Uint8Array
      readonly author: Address
      /** Whether it may wait until it is seen who lacks it. */
      readonly mayWait: boolean
      readonly except: readonly Address[]
    }
  /** Replaces the timer of the same kind. A time in the past is due at once. */
  | { readonly type: 'timer'; readonly timer: BftTimer; readonly due: Due }
  /** A block with a quorum of seals: import it and announce it. */
  | { readonly type: 'import'; readonly block: Block; readonly holders: readonly Address[] }
  /** A peer passed on a message of a height that the chain has not reached: it may have blocks that are missing here. */
  | { readonly type: 'peerAhead'; readonly address: Address }
  /** A peer sent bytes that no validator of this height can have signed, or that cannot be read. */
  | ({ readonly type: 'rubbish'; readonly address: Address } & Unreadable)
  /** A validator has signed a proposal, or a round change, whose block is invalid. */
  | {
      readonly type: 'invalid'
      readonly kind: 'proposal' | 'roundChange'
      readonly author: Address
      readonly height: bigint
      readonly round: number
      readonly flaw: BlockFlaw
    }
  /** A proposer was passed over as nothing came of it, or proposes again after it had missed its turn. */
  | { readonly type: 'turn'; readonly author: Address; readonly height: bigint; readonly isTaken: boolean }
  /** In which encoding a validator has written a proposal or a round change. */
  | ({ readonly type: 'encoding' } & SeenEncoding)
  /** A peer passed on something that is signed with the key of this validator, and that this validator has not signed. */
  | { readonly type: 'foreign'; readonly word: ForeignWord; readonly address: Address | undefined }
  /** The key of this validator has signed a block that this process knows nothing of: nothing is signed up to a height. */
  | { readonly type: 'silence'; readonly upTo: bigint; readonly because: bigint }
  /** This validator has signed later heights already, and does not sign this one again. */
  | { readonly type: 'closed'; readonly height: bigint; readonly signed: bigint }
  /** Something failed on this node: a block could not be built or checked. The machine goes on. */
  | { readonly type: 'failure'; readonly error: unknown }

/** Request to build a block. */
export interface BftBlockPlan {
  readonly parent: HashedHeader
  /** Round to write into the extra data. */
  readonly round: number
  readonly timestamp: bigint
}

/** What takes long of handling an event: a call of `build` or of `flawOf`. */
export type BftWork =
  | { readonly type: 'build'; readonly plan: BftBlockPlan }
  | { readonly type: 'check'; readonly block: Block }

/** What the machine needs from the chain, synchronously. */
export interface BftBlocks {
  /** Builds a valid block without commit seals; undefined if none can be made. */
  build(plan: BftBlockPlan): Block | undefined
  /** Checks a block on its parent, header rules except seals, and execution; undefined if it is valid. */
  flawOf(block: Block, parent: HashedHeader): BlockFlaw | undefined
  /** Whether a block built now would have transactions; asked only if empty blocks have to wait. */
  hasTransactions(parent: HashedHeader): boolean
}

/** Signs with the validator's key and recovers other signers. */
export interface BftCrypto {
  /** 65 bytes: r, s and the parity of R's y coordinate. */
  sign(digest: Hash32): Uint8Array
  /** Returns the signer; undefined if the signature is invalid. */
  recover(digest: Hash32, signature: Uint8Array): Address | undefined
}

/** Block periods at a height. */
export type BftTiming = Pick<BftSettings, 'blockPeriodSeconds' | 'blockPeriodMilliseconds' | 'emptyBlockPeriodSeconds'>

/**
 * The height of the latest block up to a head that was sealed with the key of this validator after the height `signed`, which its record has come to;
 * or that was made with it after the height `restored`, which the record had come to when this process began, and not in this process.
 * Only the last few blocks are looked at. Undefined if there is none.
 */
export type FindForeign = (head: HashedHeader, signed: bigint, restored: bigint) => bigint | undefined

export interface BftMachineParts {
  readonly protocol: BftProtocol
  /** The local validator. */
  readonly address: Address
  /** Without `sign` the key is elsewhere: signing is an effect. */
  readonly crypto: Pick<BftCrypto, 'recover'> & Partial<Pick<BftCrypto, 'sign'>>
  /** Finds transactions of proposals that this node has decoded before. */
  readonly knownTx?: KnownTx | undefined
  readonly blocks: BftBlocks
  /** Returns the validators of the next block, ascending; empty if they are unknown: they are asked for again. */
  readonly validatorsAfter: (head: HashedHeader) => readonly Address[]
  readonly timingAt: (height: bigint) => BftTiming
  readonly requestTimeoutSeconds: number
  readonly limits: BftMessageLimits
  /** Creates the message checks of a height; the protocol's own by default, tests may pass others. */
  readonly createRules?: (options: MessageRulesOptions) => MessageRules
  /** Creates the memory of who takes turns; the protocol's own by default, tests may pass others. */
  readonly createAttendance?: CreateAttendance
  /** Creates the timing of rounds; the protocol's own by default, tests may pass others. */
  readonly createPacemaker?: (options: PacemakerOptions) => Pacemaker
  /** Reads messages; the protocol's own by default, tests of whole networks read each message only once. */
  readonly reading?: MessageReading | undefined
  /** Finds blocks that the key has signed elsewhere; absent where whoever holds the key keeps a record of its own. */
  readonly findForeign?: FindForeign | undefined
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random?: () => number
  /** The last record that any machine of this validator persisted; undefined if there is none. */
  readonly restored: Uint8Array | undefined
}

/** Height and round in progress, for reports and tests. */
export interface BftStatus extends RoundStatus {
  /** Whether this node takes part in this height. */
  readonly isValidator: boolean
}

/**
 * One validator of an IBFT 2.0 or QBFT network as a pure state machine: events in, effects out. With the record that
 * was persisted last, a new machine never contradicts what an earlier one has signed.
 */
export interface BftMachine {
  /** `now` is in milliseconds since 1970. Never throws because of a peer's message. */
  handle(event: BftEvent, now: number): readonly BftEffect[]
  /** The block that handling this event now would build or check; undefined if none. Changes nothing. */
  foresee(event: BftEvent, now: number): BftWork | undefined
  status(): BftStatus | undefined
  /** Whether a signature that was asked for would still be used. */
  awaits(id: number): boolean
}
