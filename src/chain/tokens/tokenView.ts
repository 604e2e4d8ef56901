import type { Address } from '../../primitives/bytes.ts'
import type { BlockRange } from '../../store/blockRange.ts'
import type { TokenKind } from './tokenEvents.ts'

/** A contract with events of one kind: it may have events of others too. */
export interface TokenId {
  readonly address: Address
  readonly kind: TokenKind
}

/** A token, and how often it was moved. */
export interface RankedToken extends TokenId {
  readonly transfers: number
}

/** What the events of a token add up to. */
export interface TokenSummary extends RankedToken {
  /** Accounts with a balance above zero. */
  readonly holders: number
  /** Accounts with one below zero: then events do not explain the balances. */
  readonly overdrawn: number
  /** What came from the zero address and did not go back. */
  readonly supply: bigint
}

export interface TokenHolder {
  readonly holder: Address
  readonly balance: bigint
}

export interface TokenBalance extends TokenId {
  readonly balance: bigint
}

/** An item of ERC-721 or ERC-1155 that somebody holds, and how much of it. */
export interface HeldItem {
  readonly item: bigint
  readonly amount: bigint
}

/** Who holds how much of which token at the head, as far as events say it. Each list can go on behind one of its entries. */
export interface TokenView {
  /** The blocks whose events are counted; undefined where tokens are not indexed. */
  readonly range: BlockRange | undefined
  /** The kinds of one contract's events. */
  summaries(address: Address): readonly TokenSummary[]
  /** All tokens, the most moved first. */
  ranked(after?: RankedToken): Iterable<RankedToken>
  /** Those with a balance above zero, the largest first. */
  holders(token: TokenId, after?: TokenHolder): Iterable<TokenHolder>
  /** What an account has, by token; below zero where events are not all of the truth. */
  balances(account: Address, after?: TokenId): Iterable<TokenBalance>
  /** The items of a token that an account has. */
  items(account: Address, token: TokenId, after?: bigint): Iterable<HeldItem>
}
