import { type Address, emptyBytes, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { bigIntToBytes, bytesToBigInt } from '../primitives/u256.ts'
import {
  type BlockKey,
  bodies,
  canonical,
  headers,
  impersonatedSenders,
  marks,
  numbers,
  receipts,
  senders,
} from '../store/chainTables.ts'
import { meta } from '../store/schema.ts'
import type { Reader, Transaction } from '../store/table.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { type Body, encodeBody } from '../types/block.ts'
import { decodeTx } from '../types/decodeTx.ts'
import { txHash } from '../types/encodeTx.ts'
import type { Header } from '../types/header.ts'
import { isImpersonated } from '../types/impersonate.ts'
import { isSenderKnown, rememberSender, senderOf } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import { findLogs } from './logs/findLogs.ts'
import { createTxFinder, createTxHasher, decodeStoredBody, encodeStoredBody } from './storedBody.ts'
import {
  bloomOfStoredHeader,
  decodeStoredHeader,
  encodeStoredHeader,
  type HeaderRecord,
  rlpOfStoredHeader,
  timeOfStoredHeader,
} from './storedHeader.ts'
import { decodeReceipts, encodeReceipts, findReceipt } from './storedReceipts.ts'
import type { HashedBlock, HashedHeader, LogConditions, PlacedLog, ReceiptInBlock, StoredReceipt } from './view.ts'

const addressLength = 20

/** The key by which a block is stored. */
export function keyOfBlock({ header, hash }: HashedHeader): BlockKey {
  return { number: Number(header.number), hash }
}

/** A stored header. */
export function readHeader(reader: Reader, key: BlockKey): HeaderRecord | undefined {
  const bytes = reader.get(headers, key)
  return bytes && decodeStoredHeader(bytes, key.hash)
}

/** A stored header's RLP. */
export function readEncodedHeader(reader: Reader, key: BlockKey): Uint8Array | undefined {
  const bytes = reader.get(headers, key)
  return bytes && rlpOfStoredHeader(bytes)
}

/** Stores a header, and its number by its hash. */
export function writeHeader(txn: Transaction, record: HeaderRecord): void {
  txn.put(headers, keyOfBlock(record), encodeStoredHeader(record))
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

/** Whether a block is part of the canonical chain. */
export function isCanonicalKey(reader: Reader, { number, hash }: BlockKey): boolean {
  const found = reader.get(canonical, number)
  return found !== undefined && equalBytes(found, hash)
}

/** A stored body. */
export function readBody(reader: Reader, key: BlockKey): Body | undefined {
  const bytes = reader.get(bodies, key)
  return bodyOf(reader, key, bytes, bytes ? undefined : readHeader(reader, key)?.header)
}

/** A stored block. */
export function readBlock(reader: Reader, key: BlockKey): HashedBlock | undefined {
  const header = readHeader(reader, key)?.header
  const body = bodyOf(reader, key, reader.get(bodies, key), header)
  return header && body && { header, hash: key.hash, block: { header, ...body } }
}

function bodyOf(
  reader: Reader,
  key: BlockKey,
  bytes: Uint8Array | undefined,
  header: Header | undefined,
): Body | undefined {
  const body = decodeStoredBody(bytes, header)
  if (!body || body.transactions.length === 0) return body
  const known = reader.get(senders, key)
  for (const [index, tx] of body.transactions.entries()) recallSender(reader, tx, senderIn(known, index))
  return body
}

/** A stored body's RLP. */
export function readEncodedBody(reader: Reader, key: BlockKey): Uint8Array | undefined {
  const bytes = reader.get(bodies, key)
  if (bytes) return bytes
  const body = readBody(reader, key)
  return body && encodeBody(body)
}

/** The filter of a block's logs, valid until the next read. */
export function peekBloom(reader: Reader, key: BlockKey): Uint8Array | undefined {
  const bytes = reader.peek(headers, key)
  return bytes && bloomOfStoredHeader(bytes)
}

/** The logs of a block that match. */
export function readLogs(reader: Reader, key: BlockKey, conditions: LogConditions): readonly PlacedLog[] {
  const stored = reader.peek(receipts, key)
  const found = stored ? findLogs(stored, conditions) : []
  if (found.length === 0) return []
  const header = reader.peek(headers, key)
  const block = {
    blockNumber: BigInt(key.number),
    blockHash: key.hash,
    blockTimestamp: header && timeOfStoredHeader(header),
  }
  const body = reader.peek(bodies, key)
  if (!body) throw new Error(`the database is damaged: body of block ${key.number} is missing`)
  const hashOf = createTxHasher(body)
  return found.map(({ address, topics, data, txIndex, logIndex }) => {
    return { address, topics, data, ...block, txIndex, txHash: hashOf(txIndex), logIndex }
  })
}

/** Stores a body. */
export function writeBody(txn: Transaction, key: BlockKey, body: Body): void {
  const bytes = encodeStoredBody(body)
  if (bytes) txn.put(bodies, key, bytes)
  for (const tx of body.transactions) {
    const sender = isImpersonated(tx) ? senderOf(tx) : undefined
    if (sender) txn.put(impersonatedSenders, txHash(tx), sender)
  }
}

/** Stores who sent the transactions of a block: to recover that from signatures is half of what it costs to show one. */
export function writeSenders(txn: Transaction, key: BlockKey, { transactions }: Body): void {
  if (transactions.length === 0 || !transactions.every(isSenderKnown)) return
  const bytes = new Uint8Array(transactions.length * addressLength)
  for (const [index, tx] of transactions.entries()) bytes.set(senderOf(tx)!, index * addressLength)
  txn.put(senders, key, bytes)
}

/** Copies a sender from the row of its block; undefined if the row does not reach so far. */
function senderIn(row: Uint8Array | undefined, index: number): Address | undefined {
  const found = row?.slice(index * addressLength, (index + 1) * addressLength)
  return found?.length === addressLength ? (found as Address) : undefined
}

/** Remembers who sent a stored transaction, as its block's row says; where there is none, only of one that nobody signed. */
function recallSender(reader: Reader, tx: Tx, known: Address | undefined): void {
  const sender = known ?? (isImpersonated(tx) ? reader.get(impersonatedSenders, txHash(tx)) : undefined)
  if (sender) rememberSender(tx, sender as Address)
}

/** One transaction of a stored body. */
export function readTx(reader: Reader, key: BlockKey, index: number): Tx | undefined {
  const body = reader.peek(bodies, key)
  const bytes = body && createTxFinder(body)(index)
  if (!bytes) return undefined
  const tx = decodeTx(bytes)
  recallSender(reader, tx, senderIn(reader.peek(senders, key), index))
  return tx
}

/** One of a block's receipts. */
export function readReceipt(reader: Reader, key: BlockKey, index: number): ReceiptInBlock | undefined {
  const bytes = reader.peek(receipts, key)
  return bytes && findReceipt(bytes, index)
}

/** The receipts of a block; undefined if it has some and was never executed here. */
export function readReceipts(reader: Reader, key: BlockKey): readonly StoredReceipt[] | undefined {
  const bytes = reader.get(receipts, key)
  if (bytes) return decodeReceipts(bytes)
  const header = readHeader(reader, key)?.header
  return header && hasNoReceipts(header) ? [] : undefined
}

/** Whether a block has no receipts: then none are stored. */
export function hasNoReceipts({ receiptsRoot }: Header): boolean {
  return equalBytes(receiptsRoot, emptyTrieRoot)
}

/** Stores the receipts of a block. */
export function writeReceipts(txn: Transaction, key: BlockKey, list: readonly StoredReceipt[]): void {
  if (list.length > 0) txn.put(receipts, key, encodeReceipts(list))
}

/** Blocks that have a name. */
export type Mark =
  | 'head'
  | 'safe'
  | 'finalized'
  /** The last header that is stored ahead of the head: its blocks are taken over without being run. */
  | 'ahead'

const markKeys: Record<Mark, Uint8Array> = {
  head: new TextEncoder().encode('head'),
  safe: new TextEncoder().encode('safe'),
  finalized: new TextEncoder().encode('finalized'),
  ahead: new TextEncoder().encode('ahead'),
}

/** The block of a name. */
export function readMark(reader: Reader, mark: Mark): BlockKey | undefined {
  const hash = reader.get(marks, markKeys[mark])
  return hash && hash.length === 32 ? findBlock(reader, hash as Hash32) : undefined
}

/** Gives a block a name; undefined removes the name. */
export function writeMark(txn: Transaction, mark: Mark, hash: Hash32 | undefined): void {
  txn.put(marks, markKeys[mark], hash ?? emptyBytes)
}

const indexTipKey = (index: string): Uint8Array => new TextEncoder().encode(`index.${index}`)

/** Hash of the last block that an index has; undefined where a version before there were such marks wrote it. */
export function readIndexTip(reader: Reader, index: string): Hash32 | undefined {
  return reader.get(marks, indexTipKey(index)) as Hash32 | undefined
}

export function writeIndexTip(txn: Transaction, index: string, hash: Hash32): void {
  txn.put(marks, indexTipKey(index), hash)
}

const allocKey = 'alloc'

/** Digest of the accounts with which the chain began; undefined if the store is older than this entry. */
export function readAllocDigest(reader: Reader): Hash32 | undefined {
  return reader.get(meta, allocKey) as Hash32 | undefined
}

export function writeAllocDigest(txn: Transaction, digest: Hash32): void {
  txn.put(meta, allocKey, digest)
}

const chainIdKey = 'chainId'

/** Chain id with which the chain began, which its blocks do not contain; undefined if the store is older than this entry. */
export function readChainId(reader: Reader): bigint | undefined {
  const stored = reader.get(meta, chainIdKey)
  return stored && bytesToBigInt(stored)
}

export function writeChainId(txn: Transaction, chainId: bigint): void {
  txn.put(meta, chainIdKey, bigIntToBytes(chainId))
}

/** Header of block `key`, which must be there. */
export function requireHeaderRecord(reader: Reader, key: BlockKey): HeaderRecord {
  const record = readHeader(reader, key)
  if (!record) throw new Error(`the database is damaged: header of block ${key.number} is missing`)
  return record
}

/** Block `key`, which must be there. */
export function requireBlock(reader: Reader, key: BlockKey): HashedBlock {
  const block = readBlock(reader, key)
  if (!block) throw new Error(`the database is damaged: header or body of block ${key.number} is missing`)
  return block
}

/** Header of the head, which every store with a genesis block has. */
export function requireHead(reader: Reader): HeaderRecord {
  const key = readMark(reader, 'head')
  if (!key) throw new Error('the database has no head block: it was never given a genesis block')
  return requireHeaderRecord(reader, key)
}
