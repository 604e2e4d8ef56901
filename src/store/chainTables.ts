import type { Hash32 } from '../primitives/bytes.ts'
import {
  blockNumberCodec,
  blockNumberLength,
  bytesCodec,
  type Codec,
  hashCodec,
  readBlockNumber,
  writeBlockNumber,
} from './codec.ts'
import { table } from './table.ts'

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

export const headers = table('headers', blockKeyCodec, bytesCodec, 'number ‖ hash → total difficulty, header.')
export const bodies = table('bodies', blockKeyCodec, bytesCodec, 'number ‖ hash → transactions, ommers, withdrawals.')
export const receipts = table('receipts', blockKeyCodec, bytesCodec, 'number ‖ hash → receipts of an executed block.')
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
export const marks = table('marks', bytesCodec, bytesCodec, 'head, safe, finalized → block key.')

export const chainTables = [
  headers,
  bodies,
  receipts,
  numbers,
  canonical,
  transactions,
  logIndex,
  logGaps,
  stateEdits,
  impersonatedSenders,
  marks,
] as const
