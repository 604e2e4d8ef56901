import { type Address, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { fromHex } from '../../primitives/hex.ts'
import { latin1Of } from '../../primitives/textOfBytes.ts'
import { createdAddress } from '../../types/createdAddress.ts'
import type { Log } from '../../types/log.ts'
import { senderOf } from '../../types/signTx.ts'
import type { Tx } from '../../types/transaction.ts'
import type { StoredReceipt } from '../view.ts'

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721; `TransferSingle` and `TransferBatch` of ERC-1155. */
const transfer = fromHex('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const transferSingle = fromHex('0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62')
const transferBatch = fromHex('0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb')

const padding = 12

function isAccount(topic: Hash32): boolean {
  for (let i = 0; i < padding; i++) if (topic[i] !== 0) return false
  return true
}

/** How many topics after the first may be accounts that tokens went from and to. */
function countParties({ topics }: Log): number {
  const event = topics[0]
  if (topics.length < 3 || !event) return 0
  if (equalBytes(event, transfer)) return 2
  return topics.length > 3 && (equalBytes(event, transferSingle) || equalBytes(event, transferBatch)) ? 3 : 0
}

/** The accounts of a block, transaction by transaction: an address and the index of the transaction, in bytes. */
export type PackedAccounts = Uint8Array

const addressLength = 20
const entryLength = addressLength + 3
/** How far back an account is looked for before it is added again: more would take long where transactions have many logs. */
const lookBack = 8 * entryLength

/** Whether the account at a place is the one that lies in `source` from `from` on. */
function isAt(bytes: Uint8Array, at: number, source: Uint8Array, from = 0): boolean {
  // Many addresses begin with zeros: the last byte differs first.
  for (let i = addressLength - 1; i >= 0; i--) if (bytes[at + i] !== source[from + i]) return false
  return true
}

/**
 * The accounts that appear in a block as sender, recipient, created contract, emitter of a log, or party of a token transfer, some
 * of them repeatedly. Calls between contracts that log nothing are not among them: nothing that is stored mentions them.
 */
export function packAccounts(txs: readonly Tx[], receipts: readonly StoredReceipt[]): PackedAccounts {
  let bytes = new Uint8Array(4 * entryLength * txs.length)
  let end = 0

  function add(source: Uint8Array, from: number, index: number, txStart: number): void {
    for (let at = Math.max(txStart, end - lookBack); at < end; at += entryLength)
      if (isAt(bytes, at, source, from)) return
    if (end + entryLength > bytes.length) {
      const larger = new Uint8Array(2 * bytes.length)
      larger.set(bytes)
      bytes = larger
    }
    for (let i = 0; i < addressLength; i++) bytes[end + i] = source[from + i]!
    bytes[end + addressLength] = index >>> 16
    bytes[end + addressLength + 1] = index >>> 8
    bytes[end + addressLength + 2] = index
    end += entryLength
  }

  for (let i = 0; i < txs.length; i++) {
    const tx = txs[i]!
    const start = end
    const sender = senderOf(tx)
    const to = tx.to ?? createdAddress(tx)
    if (sender) add(sender, 0, i, start)
    if (to) add(to, 0, i, start)
    for (const log of receipts[i]!.logs) {
      add(log.address, 0, i, start)
      const parties = countParties(log)
      for (let n = 1; n <= parties; n++) if (isAccount(log.topics[n]!)) add(log.topics[n]!, padding, i, start)
    }
  }
  return bytes.subarray(0, end)
}

const indexAt = (packed: PackedAccounts, at: number): number =>
  (packed[at + addressLength]! << 16) | (packed[at + addressLength + 1]! << 8) | packed[at + addressLength + 2]!

/** Calls `visit` for each entry with `keyOf` the address. */
export function visitAccounts(packed: PackedAccounts, visit: (key: string, index: number) => void): void {
  for (let at = 0; at < packed.length; at += entryLength)
    visit(latin1Of(packed, at, at + addressLength), indexAt(packed, at))
}

/** Number of entries, repeated ones included. */
export const countAccounts = (packed: PackedAccounts): number => packed.length / entryLength

/** The transactions in which an account appears, ascending. */
export function indexesOf(packed: PackedAccounts, address: Address): readonly number[] {
  const indexes: number[] = []
  for (let at = 0; at < packed.length; at += entryLength)
    if (isAt(packed, at, address) && indexes.at(-1) !== indexAt(packed, at)) indexes.push(indexAt(packed, at))
  return indexes
}
