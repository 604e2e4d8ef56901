import { type Address, equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { fromHex } from '../../primitives/hex.ts'
import { accountIndex, accountIndexRange, type BlockRange } from '../../store/chainTables.ts'
import type { Store } from '../../store/openStore.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import { createdAddress } from '../../types/createdAddress.ts'
import type { Log } from '../../types/log.ts'
import { senderOf } from '../../types/signTx.ts'
import type { Tx } from '../../types/transaction.ts'
import { readMark } from '../records.ts'
import type { Appearance, StoredReceipt } from '../view.ts'

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721; `TransferSingle` and `TransferBatch` of ERC-1155. */
const transfer = fromHex('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const transferSingle = fromHex('0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62')
const transferBatch = fromHex('0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb')

const padding = 12

/** The account of a topic; undefined if the topic is another value. */
function accountIn(topic: Hash32 | undefined): Address | undefined {
  if (!topic) return undefined
  for (let i = 0; i < padding; i++) if (topic[i] !== 0) return undefined
  return topic.subarray(padding) as Address
}

/** The accounts that a log says tokens went from and to. */
function partiesOf({ topics }: Log): readonly (Address | undefined)[] {
  const [event, first, second, third] = topics
  if (!event || !second) return []
  if (event[0] === transfer[0] && equalBytes(event, transfer)) return [accountIn(first), accountIn(second)]
  const isMulti = equalBytes(event, transferSingle) || equalBytes(event, transferBatch)
  return isMulti ? [accountIn(first), accountIn(second), accountIn(third)] : []
}

/** An account, and the transactions of one block in which it appears. */
interface Row {
  readonly key: string
  readonly address: Address
  readonly indexes: number[]
}

const inOrder = (a: Row, b: Row) => (a.key < b.key ? -1 : 1)

/**
 * The accounts that appear in a block as sender, recipient, created contract, emitter of a log, or party of a token transfer, in
 * order. Calls between contracts that log nothing are not among them: nothing that is stored tells of them.
 */
export function accountsIn(txs: readonly Tx[], receipts: readonly StoredReceipt[]): readonly Row[] {
  const rows = new Map<string, Row>()
  function add(address: Address | undefined, index: number): void {
    if (!address) return
    const key = keyOf(address)
    const row = rows.get(key)
    if (!row) rows.set(key, { key, address, indexes: [index] })
    else if (row.indexes.at(-1) !== index) row.indexes.push(index)
  }
  for (let i = 0; i < txs.length; i++) {
    const tx = txs[i]!
    add(senderOf(tx), i)
    add(tx.to ?? createdAddress(tx), i)
    for (const log of receipts[i]!.logs) {
      add(log.address, i)
      if (log.topics.length > 2) for (const party of partiesOf(log)) add(party, i)
    }
  }
  // Sorted writes are several times faster than random ones.
  return [...rows.values()].sort(inOrder)
}

const rangeKey = 'range'

/** The blocks that the index has; undefined where accounts were never indexed. */
export function readIndexRange(reader: Reader): BlockRange | undefined {
  return reader.get(accountIndexRange, rangeKey)
}

/** Starts an index at the head, unless there is one. */
export function beginAccountIndex(store: Store): void {
  if (store.read(readIndexRange)) return
  store.write((txn) => {
    const head = readMark(txn, 'head')!.number
    // The genesis block has no transactions.
    txn.put(accountIndexRange, rangeKey, { first: head === 0 ? 0 : head + 1, last: head })
  })
}

/** Adds a block next to those that the index has: the one before the first, or the one after the last. */
export function indexBlock(
  txn: Transaction,
  number: number,
  txs: readonly Tx[],
  receipts: readonly StoredReceipt[],
  { first, last }: BlockRange,
): BlockRange {
  for (const { address, indexes } of accountsIn(txs, receipts)) txn.put(accountIndex, { address, number }, indexes)
  const range = { first: Math.min(first, number), last: Math.max(last, number) }
  txn.put(accountIndexRange, rangeKey, range)
  return range
}

/** Adds the new head; an index that is behind is brought forward by the indexer. */
export function extendAccountIndex(
  txn: Transaction,
  number: number,
  txs: readonly Tx[],
  receipts: readonly StoredReceipt[],
): void {
  const range = readIndexRange(txn)
  if (range && number === range.last + 1) indexBlock(txn, number, txs, receipts, range)
}

/** Takes a block that is no longer canonical out of the index, if it has it. */
export function shortenAccountIndex(
  txn: Transaction,
  number: number,
  txs: readonly Tx[],
  receipts: readonly StoredReceipt[],
): void {
  const range = readIndexRange(txn)
  if (!range || number > range.last) return
  if (number >= range.first)
    for (const { address } of accountsIn(txs, receipts)) txn.remove(accountIndex, { address, number })
  txn.put(accountIndexRange, rangeKey, { first: Math.min(range.first, number), last: number - 1 })
}

const maxBlock = 2 ** 47

/** Where an account appears, from a block on. */
export function* findAppearances(
  reader: Reader,
  address: Address,
  from: number,
  order: 'ascending' | 'descending',
): Iterable<Appearance> {
  const range =
    order === 'ascending'
      ? { from: { address, number: from }, to: { address, number: maxBlock } }
      : { from: { address, number: from }, to: { address, number: 0 }, reverse: true }
  for (const [{ number }, indexes] of reader.range(accountIndex, range)) yield { blockNumber: BigInt(number), indexes }
}
