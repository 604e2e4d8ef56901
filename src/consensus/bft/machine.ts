import type { HashedHeader } from '../../chain/view.ts'
import type { BftMessageLimits } from '../../forks/consensusConfig.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { Block } from '../../types/block.ts'
import type { MessageRules, MessageRulesOptions } from './messageRules.ts'
import type { BftProtocol } from './protocol.ts'

/** A timer that the machine asked for; timers of finished heights and rounds are ignored. */
export type BftTimer =
  | { readonly kind: 'block'; readonly height: bigint }
  | { readonly kind: 'round'; readonly height: bigint; readonly round: number }

/** Input of the machine. */
export type BftEvent =
  /** The chain has a new head, from any source; the first one starts the machine. */
  | { readonly type: 'head'; readonly head: HashedHeader }
  /** A message from a peer, identified by the address of its node key. The code is relative to the sub-protocol. */
  | { readonly type: 'message'; readonly code: number; readonly data: Uint8Array; readonly from: Address | undefined }
  | { readonly type: 'timer'; readonly timer: BftTimer }

/** Output of the machine, to be performed in order. */
export type BftEffect =
  /** The record must be on disk before any later effect is performed. */
  | { readonly type: 'persist'; readonly record: Uint8Array }
  /** Send an own message to all connected validators. */
  | { readonly type: 'send'; readonly code: number; readonly data: Uint8Array }
  /** Forward another validator's message to all connected validators except these. */
  | {
      readonly type: 'gossip'
      readonly code: number
      readonly data: Uint8Array
      readonly except: readonly Address[]
    }
  /** Set a timer, replacing one of the same kind. `at` is in milliseconds; a time in the past is due at once. */
  | { readonly type: 'timer'; readonly timer: BftTimer; readonly at: number }
  /** Import and announce a block with a quorum of commit seals. */
  | { readonly type: 'import'; readonly block: Block }
  /** A peer sent a message of a future height, so it must have the block before that height. */
  | { readonly type: 'peerHeight'; readonly address: Address; readonly number: bigint }

/** Request to build a block. */
export interface BftBlockPlan {
  readonly parent: HashedHeader
  /** Round to write into the extra data. */
  readonly round: number
  readonly timestamp: bigint
}

/** What the machine needs from the chain, synchronously. */
export interface BftBlocks {
  /** Builds a valid block without commit seals; undefined if none can be made. */
  build(plan: BftBlockPlan): Block | undefined
  /** Checks a block on its parent: header rules except seals, and execution. */
  check(block: Block, parent: HashedHeader): boolean
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
export interface BftTiming {
  readonly blockPeriodSeconds: number
  /** Minimum seconds between a block and an empty block after it; undefined if empty blocks do not wait. */
  readonly emptyBlockPeriodSeconds: number | undefined
}

export interface BftMachineParts {
  readonly protocol: BftProtocol
  /** The local validator. */
  readonly address: Address
  readonly crypto: BftCrypto
  readonly blocks: BftBlocks
  /** Returns the validators of the next block, ascending; empty if they are unknown, which halts the height. */
  readonly validatorsAfter: (head: HashedHeader) => readonly Address[]
  readonly timingAt: (height: bigint) => BftTiming
  readonly requestTimeoutSeconds: number
  readonly limits: BftMessageLimits
  /** Creates the message checks of a height; the protocol's own by default, tests may pass others. */
  readonly createRules?: (options: MessageRulesOptions) => MessageRules
  /** The last record that any machine of this validator persisted; undefined if there is none. */
  readonly restored: Uint8Array | undefined
}

/** Height and round in progress, for tests. */
export interface BftStatus {
  readonly height: bigint
  /** The round in progress, −1 before the first. */
  readonly round: number
  readonly isValidator: boolean
}

/**
 * One validator of an IBFT 2.0 or QBFT network as a pure state machine: events in, effects out. With the record that
 * was persisted last, a new machine never contradicts what an earlier one has signed.
 */
export interface BftMachine {
  /** `now` is in milliseconds since 1970. Never throws because of a peer's message. */
  handle(event: BftEvent, now: number): readonly BftEffect[]
  status(): BftStatus | undefined
}
