import { type Hex, hexToBigInt } from 'viem'
import { loadListed } from './lists.ts'
import type { Ask } from './rpc.ts'

/** What a token's events are like. */
export const standards = ['ERC-20', 'ERC-721', 'ERC-1155'] as const
export type Standard = (typeof standards)[number]

/** What the transfers of a token add up to. */
export interface TokenSummary {
  readonly standard: Standard
  readonly transfers: Hex
  readonly holders: Hex
  readonly overdrawn: Hex
  /** May be negative, as all sums of events may. */
  readonly supply: string
}

export interface TokenOfAccount {
  readonly address: Hex
  readonly standard: Standard
  readonly balance: string
}

export interface RankedToken {
  readonly address: Hex
  readonly standard: Standard
  readonly transfers: Hex
}

export interface Holder {
  readonly address: Hex
  readonly balance: Hex
}

export interface Item {
  readonly id: Hex
  readonly amount: string
}

export interface Transfer {
  readonly blockNumber: Hex
  readonly timestamp: number
  readonly transactionHash: Hex
  readonly logIndex: Hex
  readonly position: Hex
  readonly address: Hex
  readonly standard: Standard
  readonly from: Hex
  readonly to: Hex
  readonly id?: Hex
  readonly amount?: Hex
}

/** A number that may have a sign. */
export function readSigned(text: string): bigint {
  return text.startsWith('-') ? -hexToBigInt(text.slice(1) as Hex) : hexToBigInt(text as Hex)
}

/** What transfers say of a contract; no standards, if it emitted none. */
export function loadSummaries(ask: Ask, address: Hex): Promise<{ block: Hex; standards: readonly TokenSummary[] }> {
  return ask('quoin_getToken', [address])
}

export const loadTokens = (ask: Ask, size: number, after: string | null) =>
  loadListed<RankedToken>(ask, 'tokens', 'quoin_getTokens', [size, after])

export const loadHolders = (ask: Ask, token: Hex, standard: Standard, size: number, after: string | null) =>
  loadListed<Holder>(ask, 'holders', 'quoin_getTokenHolders', [token, standard, size, after])

export const loadBalances = (ask: Ask, account: Hex, size: number, after: string | null) =>
  loadListed<TokenOfAccount>(ask, 'balances', 'quoin_getTokenBalances', [account, size, after])

export const loadItems = (ask: Ask, account: Hex, token: Hex, standard: Standard, size: number, after: string | null) =>
  loadListed<Item>(ask, 'items', 'quoin_getTokenItems', [account, token, standard, size, after])

/** Which transfers: of a token, of an account, of both, or all. */
export interface TransferQuery {
  readonly token?: Hex
  readonly account?: Hex
}

export const loadTransfers = (ask: Ask, query: TransferQuery, size: number, before: string | null) =>
  loadListed<Transfer>(ask, 'transfers', 'quoin_getTokenTransfers', [query, size, before])
