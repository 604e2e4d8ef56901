import type { HashedHeader } from '../../chain/view.ts'
import type { BftMessageLimits } from '../../forks/consensusConfig.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { Block } from '../../types/block.ts'
import type { MessageRules, MessageRulesOptions } from './messageRules.ts'
import type { BftProtocol } from './protocol.ts'

/** A wake-up that the machine asked for. Ones of heights and rounds that are over do nothing. */
export type BftTimer =
  | { readonly kind: 'block'; readonly height: bigint }
  | { readonly kind: 'round'; readonly height: bigint; readonly round: number }

/** What can happen to a machine. */
export type BftEvent =
  /** The chain's head is another block now, from whatever source; the first one starts the machine. */
  | { readonly type: 'head'; readonly head: HashedHeader }
  /** Bytes from a peer, who is known by the address of its node key. The code is relative to the sub-protocol. */
  | { readonly type: 'message'; readonly code: number; readonly data: Uint8Array; readonly from: Address | undefined }
  | { readonly type: 'timer'; readonly timer: BftTimer }

/** What the machine wants done, in the order of the list. */
export type BftEffect =
  /** Must be on disk before any later effect of the list is performed. */
  | { readonly type: 'persist'; readonly record: Uint8Array }
  /** An own message, for all validators that are connected. */
  | { readonly type: 'send'; readonly code: number; readonly data: Uint8Array }
  /** Another's message, for all validators that are connected but these. */
  | {
      readonly type: 'gossip'
      readonly code: number
      readonly data: Uint8Array
      readonly except: readonly Address[]
    }
  /** Replaces the timer of the same kind. `at` is in milliseconds and may lie in the past: the timer is due then. */
  | { readonly type: 'timer'; readonly timer: BftTimer; readonly at: number }
  /** A block with a quorum of seals: import it and announce it. */
  | { readonly type: 'import'; readonly block: Block }
  /** A peer speaks of a height that the chain has not reached: it must have the block below. */
  | { readonly type: 'peerHeight'; readonly address: Address; readonly number: bigint }

/** What is asked of whoever builds a block. */
export interface BftBlockPlan {
  readonly parent: HashedHeader
  /** The round that the extra data are to carry. */
  readonly round: number
  readonly timestamp: bigint
}

/** The chain, as far as the machine needs it; answers are synchronous. */
export interface BftBlocks {
  /** A new block without seals, which `check` would pass; undefined when none can be made. */
  build(plan: BftBlockPlan): Block | undefined
  /** Whether a block is valid on its parent: header rules but for seals, and execution. */
  check(block: Block, parent: HashedHeader): boolean
  /** Whether a block built now would have transactions; asked only where empty blocks are to wait. */
  hasTransactions(parent: HashedHeader): boolean
}

/** The validator's key, and the keys of the others. */
export interface BftCrypto {
  /** 65 bytes: r, s and the parity of R's y coordinate. */
  sign(digest: Hash32): Uint8Array
  /** Who signed, or undefined when the signature fits nobody. */
  recover(digest: Hash32, signature: Uint8Array): Address | undefined
}

/** What holds for the block at a height. */
export interface BftTiming {
  readonly blockPeriodSeconds: number
  /** Seconds after its parent before which no empty block is proposed; undefined: empty blocks do not wait. */
  readonly emptyBlockPeriodSeconds: number | undefined
}

export interface BftMachineParts {
  readonly protocol: BftProtocol
  /** The local node's. */
  readonly address: Address
  readonly crypto: BftCrypto
  readonly blocks: BftBlocks
  /** Who decides on the block after this one, ascending; empty where nobody can tell, and the height stands still. */
  readonly validatorsAfter: (head: HashedHeader) => readonly Address[]
  readonly timingAt: (height: bigint) => BftTiming
  readonly requestTimeoutSeconds: number
  readonly limits: BftMessageLimits
  /** Which messages are right at a height; what the protocol says unless another opinion is given. */
  readonly createRules?: (options: MessageRulesOptions) => MessageRules
  /** The record persisted last, by whichever machine of this validator; undefined when there was none. */
  readonly restored: Uint8Array | undefined
}

/** Where a machine stands, for those who look on. */
export interface BftStatus {
  readonly height: bigint
  /** −1 before the first round. */
  readonly round: number
  readonly isValidator: boolean
}

/**
 * One validator of an IBFT 2.0 or QBFT network, without clock, network and disk: events in, effects out. Given back the
 * record that was persisted last, a new machine never signs what contradicts what an earlier one has signed.
 */
export interface BftMachine {
  /** `now` is in milliseconds since 1970. Never throws on account of what peers send. */
  handle(event: BftEvent, now: number): readonly BftEffect[]
  status(): BftStatus | undefined
}
