import { bytesOfKey } from '../../primitives/bytes.ts'
import type { Table, Transaction } from '../../store/table.ts'
import {
  type TokenCounts,
  tokenBalances,
  tokenHolders,
  tokenItems,
  tokenRanks,
  tokens,
} from '../../store/tokenTables.ts'
import { type PackedTransfer, type PackedTransfers, type TransferFilter, visitPacked } from './packedTransfers.ts'
import { tokenKinds } from './tokenEvents.ts'
import { holderKey, rankKey, zeroHolder } from './tokenKeys.ts'

/** What movements add up to, of one token. */
interface TokenChange {
  transfers: number
  readonly holders: Map<string, bigint>
  /** By holder and item. */
  readonly items: Map<string, bigint>
}

/** Which movements are added. */
export interface ChangeFilter extends TransferFilter {
  /** Whether nothing but their number is wanted. */
  readonly countsAlone?: boolean
}

/** Sums that are held before they are written: the logs of one block can be millions. */
const maxHeld = 50_000

const noCounts: TokenCounts = { transfers: 0, holders: 0, overdrawn: 0 }

/**
 * Adds movements of tokens to what is stored, or takes them off. All that is stored are sums and what follows from them, so that neither
 * the order of blocks matters, nor in how many pieces they come, nor whether a token's events can be true.
 */
export class TokenChanges {
  private readonly txn: Transaction
  private readonly sign: 1 | -1
  private readonly filter: ChangeFilter | undefined
  private changes = new Map<string, TokenChange>()
  private held = 0

  constructor(txn: Transaction, sign: 1 | -1, filter?: ChangeFilter) {
    this.txn = txn
    this.sign = sign
    this.filter = filter
  }

  add(packed: PackedTransfers): void {
    visitPacked(packed, this.addTransfer, this.filter)
  }

  private readonly addTransfer = ({ token, kind, from, to, item, amount }: PackedTransfer): void => {
    let change = this.changes.get(token)
    if (!change) this.changes.set(token, (change = { transfers: 0, holders: new Map(), items: new Map() }))
    change.transfers += this.sign
    if (from !== to && amount > 0n && !this.filter?.countsAlone) {
      const delta = this.sign < 0 ? -amount : amount
      addTo(change.holders, from, -delta)
      addTo(change.holders, to, delta)
      this.held += 2
      if (kind !== tokenKinds.erc20) {
        addTo(change.items, from + item, -delta)
        addTo(change.items, to + item, delta)
        this.held += 2
      }
    }
    if (this.held >= maxHeld) this.write()
  }

  /** Writes what was added. */
  write(): void {
    const holderRows: [key: string, isThere: boolean][] = []
    const rankRows: [key: string, isThere: boolean][] = []
    const counts = new Map<string, TokenCounts>()
    for (const token of this.changes.keys()) counts.set(token, this.txn.get(tokens, bytesOfKey(token)) ?? noCounts)
    this.writeBalances(counts, holderRows)
    this.writeItems()
    for (const [token, { transfers: added }] of this.changes) {
      const { transfers: before, ...others } = counts.get(token)!
      const transfers = before + added
      if (transfers === 0) this.txn.remove(tokens, bytesOfKey(token))
      else this.txn.put(tokens, bytesOfKey(token), { ...others, transfers })
      if (before === transfers) continue
      if (before > 0) rankRows.push([rankKey(before, token), false])
      if (transfers > 0) rankRows.push([rankKey(transfers, token), true])
    }
    writeMarks(this.txn, tokenHolders, holderRows)
    writeMarks(this.txn, tokenRanks, rankRows)
    this.changes = new Map()
    this.held = 0
  }

  private writeBalances(counts: Map<string, TokenCounts>, holderRows: [key: string, isThere: boolean][]): void {
    const rows: { readonly key: string; readonly token: string; readonly holder: string; readonly delta: bigint }[] = []
    for (const [token, { holders }] of this.changes)
      for (const [holder, delta] of holders) if (delta !== 0n) rows.push({ key: holder + token, token, holder, delta })
    // Sorted writes are several times faster than random ones.
    rows.sort((a, b) => (a.key < b.key ? -1 : 1))
    for (const { key, token, holder, delta } of rows) {
      const [before, after] = addToRow(this.txn, tokenBalances, key, delta)
      if (holder === zeroHolder) continue
      if (before > 0n) holderRows.push([holderKey(token, before, holder), false])
      if (after > 0n) holderRows.push([holderKey(token, after, holder), true])
      if (before > 0n === after > 0n && before < 0n === after < 0n) continue
      const { transfers, holders, overdrawn } = counts.get(token)!
      counts.set(token, {
        transfers,
        holders: holders + Number(after > 0n) - Number(before > 0n),
        overdrawn: overdrawn + Number(after < 0n) - Number(before < 0n),
      })
    }
  }

  private writeItems(): void {
    const rows: [key: string, delta: bigint][] = []
    for (const [token, { items }] of this.changes)
      for (const [of, delta] of items)
        if (delta !== 0n) rows.push([of.slice(0, zeroHolder.length) + token + of.slice(zeroHolder.length), delta])
    rows.sort(byKey)
    for (const [key, delta] of rows) addToRow(this.txn, tokenItems, key, delta)
  }
}

const byKey = (a: readonly [key: string, ...unknown[]], b: readonly [key: string, ...unknown[]]): number =>
  a[0] < b[0] ? -1 : 1

function addTo(sums: Map<string, bigint>, key: string, delta: bigint): void {
  const before = sums.get(key)
  sums.set(key, before === undefined ? delta : before + delta)
}

/** Adds to a stored sum; rows of zero are not stored. */
function addToRow(
  txn: Transaction,
  table: Table<Uint8Array, bigint>,
  text: string,
  delta: bigint,
): readonly [before: bigint, after: bigint] {
  const key = bytesOfKey(text)
  const before = txn.get(table, key) ?? 0n
  const after = before + delta
  if (after === 0n) txn.remove(table, key)
  else txn.put(table, key, after)
  return [before, after]
}

const nothing = new Uint8Array(0)

/** Writes and removes rows that say something by their keys alone. */
function writeMarks(
  txn: Transaction,
  table: Table<Uint8Array, Uint8Array>,
  rows: [key: string, isThere: boolean][],
): void {
  for (const [key, isThere] of rows.sort(byKey))
    if (isThere) txn.put(table, bytesOfKey(key), nothing)
    else txn.remove(table, bytesOfKey(key))
}
