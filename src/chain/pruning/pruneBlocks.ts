import { type Hash32, zeroHash } from '../../primitives/bytes.ts'
import {
  type BlockKey,
  bodies,
  impersonatedSenders,
  logIndex,
  logPageBlocks,
  receipts,
  senders,
  transactions,
} from '../../store/chainTables.ts'
import type { Transaction } from '../../store/table.ts'
import { txHash } from '../../types/encodeTx.ts'
import { isImpersonated } from '../../types/impersonate.ts'
import type { Tx } from '../../types/transaction.ts'
import { blockIndexes } from '../blockIndexes.ts'
import { marksOf } from '../logs/logIndex.ts'
import { isCanonicalKey, readBody, readMark, readReceipts } from '../records.ts'
import { readPast, writePast } from '../takeOver/past.ts'
import type { StoredReceipt } from '../view.ts'

/** Transactions after which it is asked whether there is more time. */
const txsAtOnce = 32

/** A block whose contents are being removed. */
interface Going {
  readonly key: BlockKey
  readonly txs: readonly Tx[]
  readonly receipts: readonly StoredReceipt[]
  /** Transactions that are out of the indexes already. */
  done: number
}

/**
 * Removes bodies and receipts of old blocks, and takes them out of the indexes. First it is written down from which block on they are all
 * there (`past`): nobody reads those below any more. Then their rows go, as many at a time as there is time for. What is still there is
 * found in the table of bodies itself, so a process that is killed in between goes on where it was.
 */
export class BlockPruner {
  private going: Going | undefined

  /** Removes some of what is stored of blocks below `before`; returns whether nothing is left. Whole pages of the log index go at a time. */
  prune(txn: Transaction, before: number, goOn: () => boolean): boolean {
    raiseFirst(txn, before)
    const first = readPast(txn)?.first ?? 0
    do {
      const key = (this.going ??= nextOf(txn, first))?.key
      if (!key) return true
      this.removeSome(txn, this.going!, first)
    } while (goOn())
    return this.going === undefined && nextKey(txn, first) === undefined
  }

  /** What was removed in a transaction that failed is still there. */
  forget(): void {
    this.going = undefined
  }

  private removeSome(txn: Transaction, going: Going, first: number): void {
    const { key, txs, receipts: all, done } = going
    const end = Math.min(done + txsAtOnce, txs.length)
    if (isCanonicalKey(txn, key)) unindex(txn, key.number, first, txs.slice(done, end), all.slice(done, end))
    going.done = end
    if (end < txs.length) return
    for (const table of [bodies, receipts, senders]) txn.remove(table, key)
    this.going = undefined
  }
}

/** Says from which block on bodies and receipts are kept from now on. */
function raiseFirst(txn: Transaction, before: number): void {
  const past = readPast(txn) ?? { first: 1, wanted: 1, sealed: 1, perMinute: 0 }
  // An index that is behind has to read these blocks.
  const ends = blockIndexes.map((index) => (index.readMergedRange(txn)?.last ?? before) + 1)
  const last = Math.min(before, readMark(txn, 'head')!.number, ...ends)
  const border = last - (last % logPageBlocks)
  if (border <= past.wanted) return
  const first = Math.max(past.first, border)
  // Earlier blocks that were to come are not wanted any more.
  writePast(txn, { ...past, first, wanted: border })
  for (const index of blockIndexes) index.raiseFirst(txn, first)
}

function nextKey(txn: Transaction, first: number): BlockKey | undefined {
  const range = { from: { number: 1, hash: zeroHash }, to: { number: first, hash: zeroHash }, limit: 1 }
  for (const [key] of txn.range(bodies, range)) return key
  return undefined
}

function nextOf(txn: Transaction, first: number): Going | undefined {
  const key = nextKey(txn, first)
  return key && { key, txs: readBody(txn, key)!.transactions, receipts: readReceipts(txn, key) ?? [], done: 0 }
}

/** Takes transactions of a canonical block out of all indexes; of the log index the page, to which no block from `first` on belongs. */
function unindex(
  txn: Transaction,
  number: number,
  first: number,
  txs: readonly Tx[],
  list: readonly StoredReceipt[],
): void {
  for (const tx of txs) {
    const hash = txHash(tx) as Hash32
    if (txn.get(transactions, hash)?.number === number) txn.remove(transactions, hash)
    if (isImpersonated(tx)) txn.remove(impersonatedSenders, hash)
  }
  const page = Math.floor(number / logPageBlocks)
  if ((page + 1) * logPageBlocks <= first)
    for (const mark of marksOf(list.flatMap(({ logs }) => logs))) txn.remove(logIndex, { mark, page })
  for (const index of blockIndexes) index.forget(txn, txs, list)
}
