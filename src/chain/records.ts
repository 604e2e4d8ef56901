import { concatBytes, emptyBytes, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeRlp, encodeRlp, rlpList } from '../primitives/rlp.ts'
import { bigIntToBytes, bytesToBigInt } from '../primitives/u256.ts'
import { type BlockKey, bodies, canonical, headers, marks, numbers, receipts } from '../store/chainTables.ts'
import type { Reader, Transaction } from '../store/table.ts'
import { type Body, bodyFromRlp, encodeBody } from '../types/block.ts'
import { encodeHeader, headerFromRlp } from '../types/header.ts'
import { decodeReceipts, encodeReceipts } from './storedReceipts.ts'
import type { HashedHeader, StoredReceipt } from './view.ts'

/** A header as it is stored: with its hash and the total difficulty up to it. */
export interface HeaderRecord extends HashedHeader {
  readonly totalDifficulty: bigint
}

export function keyOfBlock({ header, hash }: HashedHeader): BlockKey {
  return { number: Number(header.number), hash }
}

export function readHeader(reader: Reader, key: BlockKey): HeaderRecord | undefined {
  const bytes = reader.get(headers, key)
  if (!bytes) return undefined
  const length = bytes[0]!
  return {
    totalDifficulty: bytesToBigInt(bytes.subarray(1, 1 + length)),
    header: headerFromRlp(decodeRlp(bytes.subarray(1 + length))),
    hash: key.hash,
  }
}

/** A header's own bytes, without the total difficulty in front of them. */
export function readEncodedHeader(reader: Reader, key: BlockKey): Uint8Array | undefined {
  const bytes = reader.get(headers, key)
  return bytes?.subarray(1 + bytes[0]!)
}

export function writeHeader(txn: Transaction, record: HeaderRecord): void {
  const difficulty = bigIntToBytes(record.totalDifficulty)
  const value = concatBytes(Uint8Array.of(difficulty.length), difficulty, encodeHeader(record.header))
  txn.put(headers, keyOfBlock(record), value)
  txn.put(numbers, record.hash, Number(record.header.number))
}

/** A known block's key, canonical or not. */
export function findBlock(reader: Reader, hash: Hash32): BlockKey | undefined {
  const number = reader.get(numbers, hash)
  return number === undefined ? undefined : { number, hash }
}

/** The canonical block's key at a number. */
export function canonicalKey(reader: Reader, number: bigint): BlockKey | undefined {
  if (number < 0n || number > BigInt(2 ** 47)) return undefined
  const hash = reader.get(canonical, Number(number))
  return hash && { number: Number(number), hash }
}

export function isCanonicalKey(reader: Reader, { number, hash }: BlockKey): boolean {
  const found = reader.get(canonical, number)
  return found !== undefined && equalBytes(found, hash)
}

export function readBody(reader: Reader, key: BlockKey): Body | undefined {
  const bytes = reader.get(bodies, key)
  return bytes && bodyFromRlp(decodeRlp(bytes))
}

/** Hashes of a block's transactions by their place, without reading the transactions themselves. */
export function readTxHashes(reader: Reader, key: BlockKey): ((index: number) => Hash32) | undefined {
  const bytes = reader.get(bodies, key)
  if (!bytes) return undefined
  const items = rlpList(rlpList(decodeRlp(bytes))[0])
  return (index) => {
    const item = items[index]!
    return keccak256(item instanceof Uint8Array ? item : encodeRlp(item))
  }
}

export function writeBody(txn: Transaction, key: BlockKey, body: Body): void {
  txn.put(bodies, key, encodeBody(body))
}

export function readReceipts(reader: Reader, key: BlockKey): readonly StoredReceipt[] | undefined {
  const bytes = reader.get(receipts, key)
  return bytes && decodeReceipts(bytes)
}

export function writeReceipts(txn: Transaction, key: BlockKey, list: readonly StoredReceipt[]): void {
  txn.put(receipts, key, encodeReceipts(list))
}

/** Blocks with a name of their own. */
export type Mark = 'head' | 'safe' | 'finalized'

const markKeys: Record<Mark, Uint8Array> = {
  head: new TextEncoder().encode('head'),
  safe: new TextEncoder().encode('safe'),
  finalized: new TextEncoder().encode('finalized'),
}

export function readMark(reader: Reader, mark: Mark): BlockKey | undefined {
  const hash = reader.get(marks, markKeys[mark])
  return hash && hash.length === 32 ? findBlock(reader, hash as Hash32) : undefined
}

export function writeMark(txn: Transaction, mark: Mark, hash: Hash32 | undefined): void {
  txn.put(marks, markKeys[mark], hash ?? emptyBytes)
}

/** Header of block `key`, which must be there. */
export function requireHeader(reader: Reader, key: BlockKey): HeaderRecord {
  const record = readHeader(reader, key)
  if (!record) throw new Error(`the store lacks header ${key.number}, which it refers to`)
  return record
}
