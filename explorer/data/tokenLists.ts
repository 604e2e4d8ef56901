import { type Hex, hexToBigInt } from 'viem'
import type { Log } from './objects.ts'
import type { Ask } from './rpc.ts'

/** What a token's events are like. */
export const standards = ['ERC-20', 'ERC-721', 'ERC-1155'] as const
export type Standard = (typeof standards)[number]

/** Entries of a list as of a block, and where it goes on. */
export interface Listed<T> {
  readonly block: Hex
  readonly entries: readonly T[]
  readonly next: string | null
}

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

export interface PlacedLog extends Log {
  readonly blockNumber: Hex
  readonly transactionHash: Hex
  readonly timestamp: number
}

/** A number that may have a sign. */
export function readSigned(text: string): bigint {
  return text.startsWith('-') ? -hexToBigInt(text.slice(1) as Hex) : hexToBigInt(text as Hex)
}

/** What transfers say of a contract; no standards, if it emitted none. */
export function loadSummaries(ask: Ask, address: Hex): Promise<{ block: Hex; standards: readonly TokenSummary[] }> {
  return ask('quoin_getToken', [address])
}

/** Asks for a page of a list, and gives its entries one name. */
async function load<T>(ask: Ask, name: string, method: string, params: readonly unknown[]): Promise<Listed<T>> {
  const page = await ask<Record<string, unknown>>(method, params)
  return { block: page['block'] as Hex, entries: page[name] as readonly T[], next: page['next'] as string | null }
}

export const loadTokens = (ask: Ask, size: number, after: string | null) =>
  load<RankedToken>(ask, 'tokens', 'quoin_getTokens', [size, after])

export const loadHolders = (ask: Ask, token: Hex, standard: Standard, size: number, after: string | null) =>
  load<Holder>(ask, 'holders', 'quoin_getTokenHolders', [token, standard, size, after])

export const loadBalances = (ask: Ask, account: Hex, size: number, after: string | null) =>
  load<TokenOfAccount>(ask, 'balances', 'quoin_getTokenBalances', [account, size, after])

export const loadItems = (ask: Ask, account: Hex, token: Hex, standard: Standard, size: number, after: string | null) =>
  load<Item>(ask, 'items', 'quoin_getTokenItems', [account, token, standard, size, after])

/** Which transfers: of a token, of an account, of both, or all. */
export interface TransferQuery {
  readonly token?: Hex
  readonly account?: Hex
}

export const loadTransfers = (ask: Ask, query: TransferQuery, size: number, before: string | null) =>
  load<Transfer>(ask, 'transfers', 'quoin_getTokenTransfers', [query, size, before])

export const loadEvents = (ask: Ask, address: Hex, size: number, before: string | null) =>
  load<PlacedLog>(ask, 'logs', 'quoin_getEvents', [address, size, before])

/** Rows that are gathered for a file at most: more would keep node and browser busy for minutes. */
const maxGathered = 50_000
const gatheredAtOnce = 1000

/** All entries of a list, up to a limit. */
export async function gather<T>(loadPage: (size: number, cursor: string | null) => Promise<Listed<T>>): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | null = null; all.length < maxGathered; ) {
    const page: Listed<T> = await loadPage(gatheredAtOnce, cursor)
    all.push(...page.entries)
    if (page.next === null) break
    cursor = page.next
  }
  return all
}
