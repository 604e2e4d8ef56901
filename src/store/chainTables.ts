import type { Address, Hash32 } from '../primitives/bytes.ts'
import { blockRangeCodec } from './blockRange.ts'
import {
  blockNumberCodec,
  blockNumberLength,
  bytesCodec,
  type Codec,
  hashCodec,
  readBlockNumber,
  textCodec,
  writeBlockNumber,
} from './codec.ts'
import { table } from './table.ts'
import { tokenTables } from './tokenTables.ts'

/** A block, canonical or not: number first, so that a chain lies in order. */
export interface BlockKey {
  readonly number: number
  readonly hash: Hash32
}

const blockKeyCodec: Codec<BlockKey> = {
  encode({ number, hash }) {
    const out = new Uint8Array(blockNumberLength + 32)
    writeBlockNumber(out, 0, number)
    out.set(hash, blockNumberLength)
    return out
  },
  decode: (bytes) => ({ number: readBlockNumber(bytes, 0), hash: bytes.slice(blockNumberLength) as Hash32 }),
}

/** Place of a transaction in the canonical chain. */
export interface TxKey {
  readonly number: number
  readonly index: number
}

const txPlaceCodec: Codec<TxKey> = {
  encode({ number, index }) {
    const out = new Uint8Array(blockNumberLength + 3)
    writeBlockNumber(out, 0, number)
    out[blockNumberLength] = index >>> 16
    out[blockNumberLength + 1] = index >>> 8
    out[blockNumberLength + 2] = index
    return out
  },
  decode: (bytes) => ({
    number: readBlockNumber(bytes, 0),
    index: (bytes[blockNumberLength]! << 16) | (bytes[blockNumberLength + 1]! << 8) | bytes[blockNumberLength + 2]!,
  }),
}

/** What a log can be found by: its address (position 0) or a topic (positions 1–4), shortened to a digest. */
export type LogMark = Uint8Array
export const logMarkLength = 10

/** Blocks of one row of the log index, a bit each. */
export const logPageBlocks = 256

const logKeyCodec: Codec<{ readonly mark: LogMark; readonly page: number }> = {
  encode({ mark, page }) {
    const out = new Uint8Array(logMarkLength + blockNumberLength)
    out.set(mark)
    writeBlockNumber(out, logMarkLength, page)
    return out
  },
  decode: (bytes) => ({ mark: bytes.slice(0, logMarkLength), page: readBlockNumber(bytes, logMarkLength) }),
}

/** An account, and the first block of a row of the index. */
export interface AccountKey {
  readonly address: Address
  readonly number: number
}

const addressLength = 20

const accountKeyCodec: Codec<AccountKey> = {
  encode({ address, number }) {
    const out = new Uint8Array(addressLength + blockNumberLength)
    out.set(address)
    writeBlockNumber(out, addressLength, number)
    return out
  },
  decode: (bytes) => ({
    address: bytes.slice(0, addressLength) as Uint8Array as Address,
    number: readBlockNumber(bytes, addressLength),
  }),
}

function writeVarint(out: number[], value: number): void {
  let left = value
  for (; left > 0x7f; left >>>= 7) out.push((left & 0x7f) | 0x80)
  out.push(left)
}

/**
 * Transactions in which an account appears, ascending: how many blocks after that of the key, and the index of the transaction, in
 * turn. Each block is stored as its distance to the one before, each index as its distance to the one before in the same block.
 */
const placesCodec: Codec<readonly number[]> = {
  encode(places) {
    const out: number[] = []
    let [block, index] = [0, 0]
    for (let i = 0; i < places.length; i += 2) {
      if (places[i] !== block) index = 0
      writeVarint(out, places[i]! - block)
      writeVarint(out, places[i + 1]! - index)
      block = places[i]!
      index = places[i + 1]!
    }
    return new Uint8Array(out)
  },
  decode(bytes) {
    const places: number[] = []
    let at = 0
    const readVarint = (): number => {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]!
        value |= (byte & 0x7f) << shift
        // Also at the end of damaged bytes.
        if (!(byte >= 0x80)) return value
      }
    }
    let [block, index] = [0, 0]
    while (at < bytes.length) {
      const distance = readVarint()
      if (distance > 0) index = 0
      block += distance
      index += readVarint()
      places.push(block, index)
    }
    return places
  },
}

export const headers = table('headers', blockKeyCodec, bytesCodec, 'number ‖ hash → total difficulty, header.')
export const bodies = table(
  'bodies',
  blockKeyCodec,
  bytesCodec,
  'number ‖ hash → transactions, ommers, withdrawals, if there are any.',
)
export const receipts = table(
  'receipts',
  blockKeyCodec,
  bytesCodec,
  'number ‖ hash → receipts of an executed block, if there are any.',
)
export const senders = table(
  'senders',
  blockKeyCodec,
  bytesCodec,
  'number ‖ hash → who sent the transactions of an executed block, 20 bytes each; blocks of earlier versions have none.',
)
export const numbers = table('numbers', hashCodec, blockNumberCodec, 'hash → number of every known block.')
export const canonical = table('canonical', blockNumberCodec, hashCodec, 'number → hash of the canonical block.')
export const transactions = table(
  'transactions',
  hashCodec,
  txPlaceCodec,
  'transaction hash → canonical block and index.',
)
export const logIndex = table(
  'logIndex',
  logKeyCodec,
  bytesCodec,
  'mark ‖ page of blocks → a bit for each block with such a log.',
)
export const logGaps = table(
  'logGaps',
  blockNumberCodec,
  bytesCodec,
  'segment of blocks → nothing: the log index does not have all of it.',
)
export const accountRows = table(
  'accountRows',
  accountKeyCodec,
  placesCodec,
  'address ‖ block → transactions of this and later blocks in which the account appears.',
)
export const accountBlocks = table(
  'accountBlocks',
  blockNumberCodec,
  bytesCodec,
  'block → accounts of its transactions, not in the index of accounts yet; entries of the blocks up to this one.',
)
export const accountBlockRange = table(
  'accountBlockRange',
  textCodec,
  blockRangeCodec,
  'range → first block, last block + 1 of the index of accounts; the blocks of accountBlocks come after.',
)
export const stateEdits = table(
  'stateEdits',
  hashCodec,
  bytesCodec,
  'hash → state changes without a transaction; the extra data of blocks of the development network names it.',
)
export const impersonatedSenders = table(
  'impersonatedSenders',
  hashCodec,
  bytesCodec,
  'transaction hash → sender, of transactions that nobody signed.',
)
export const engineRecords = table(
  'engineRecords',
  blockKeyCodec,
  bytesCodec,
  'block → what consensus keeps of it, such as the votes counted so far; of few blocks.',
)
export const marks = table(
  'marks',
  bytesCodec,
  bytesCodec,
  'head, safe, finalized → block hash; index.… → hash of the last block that an index has.',
)

export const chainTables = [
  headers,
  bodies,
  receipts,
  senders,
  numbers,
  canonical,
  transactions,
  logIndex,
  logGaps,
  accountRows,
  accountBlocks,
  accountBlockRange,
  ...tokenTables,
  stateEdits,
  impersonatedSenders,
  engineRecords,
  marks,
] as const
