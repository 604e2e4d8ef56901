import type { Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import {
  cutRlp,
  decodeRlp,
  encodeRlp,
  encodeRlpList,
  RlpError,
  type RlpItem,
  rlpBytes,
  rlpList,
  rlpPrefixLength,
} from '../primitives/rlp.ts'
import { rlpMembers } from '../primitives/rlpMembers.ts'
import { decodeTx, txFromRlp } from './decodeTx.ts'
import { encodeTx, rememberTxBytes } from './encodeTx.ts'
import { encodeHeader, type Header, headerFromRlp, headerToRlp } from './header.ts'
import type { Tx } from './transaction.ts'
import { type Withdrawal, withdrawalFromRlp, withdrawalToRlp } from './withdrawal.ts'

export interface Body {
  readonly transactions: readonly Tx[]
  readonly ommers: readonly Header[]
  /** Undefined before Shanghai. */
  readonly withdrawals: readonly Withdrawal[] | undefined
}

export interface Block extends Body {
  readonly header: Header
}

/** Encodes a transaction as a member of a list, for short-lived use: a legacy one is a list, a typed one a byte string. */
function txToPart(tx: Tx): Uint8Array {
  const bytes = encodeTx(tx)
  return tx.type === 0 ? bytes : cutRlp(bytes)
}

function txFromItem(item: RlpItem): Tx {
  return item instanceof Uint8Array ? typedTx(item) : txFromRlp(0, item)
}

function typedTx(bytes: Uint8Array, hash?: Hash32): Tx {
  const first = bytes[0]
  // A legacy transaction inside a byte string is not canonical.
  if (first === undefined || first >= 0x80) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  return decodeTx(bytes, hash)
}

/** Looks up a transaction that was decoded before, by its hash. */
export type KnownTx = (hash: Hash32) => Tx | undefined

/** Decodes a transaction from its encoding and remembers the bytes; one that is known is not decoded again. */
function txFromPart(part: Uint8Array, knownTx: KnownTx | undefined): Tx {
  const isLegacy = part[0]! >= 0xc0
  const bytes = isLegacy ? part : rlpBytes(decodeRlp(part))
  const hash = keccak256(bytes)
  const known = knownTx?.(hash)
  if (known) return known
  const tx = isLegacy ? decodeTx(bytes, hash) : typedTx(bytes, hash)
  rememberTxBytes(tx, bytes)
  return tx
}

/** The encoded members of a body. */
function bodyParts({ transactions, ommers, withdrawals }: Body): Uint8Array[] {
  const parts = [encodeRlpList(transactions.map(txToPart)), encodeRlp(ommers.map(headerToRlp))]
  if (withdrawals) parts.push(encodeRlp(withdrawals.map(withdrawalToRlp)))
  return parts
}

export function encodeBody(body: Body): Uint8Array {
  return encodeRlpList(bodyParts(body))
}

export function bodyFromRlp(item: RlpItem): Body {
  const items = rlpList(item)
  if (items.length !== 2 && items.length !== 3)
    throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: 3, have: items.length })
  const [transactions, ommers, withdrawals] = items
  return {
    transactions: rlpList(transactions).map(txFromItem),
    ommers: rlpList(ommers).map(headerFromRlp),
    withdrawals: withdrawals === undefined ? undefined : rlpList(withdrawals).map(withdrawalFromRlp),
  }
}

export function encodeBlock(block: Block): Uint8Array {
  return encodeRlpList([encodeHeader(block.header), ...bodyParts(block)])
}

/** Bytes that a transaction takes in the encoding of a block. */
export function sizeInBlock(tx: Tx): number {
  const { length } = encodeTx(tx)
  return tx.type === 0 ? length : rlpPrefixLength(length) + length
}

/** Length of `encodeBlock`, without copying the transactions. */
export function blockSize({ header, transactions, ...rest }: Block): number {
  let inList = 0
  for (const tx of transactions) inList += sizeInBlock(tx)
  const others = bodyParts({ ...rest, transactions: [] }).slice(1)
  const payload =
    others.reduce((sum, { length }) => sum + length, encodeHeader(header).length) + rlpPrefixLength(inList) + inList
  return rlpPrefixLength(payload) + payload
}

function bodyFromMembers(members: readonly Uint8Array[], knownTx: KnownTx | undefined): Body {
  const [transactions, ...rest] = members
  if (!transactions) throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: 3, have: 0 })
  const body = bodyFromRlp([[], ...rest.map(decodeRlp)])
  const txs: Tx[] = []
  for (const part of rlpMembers(transactions)) txs.push(txFromPart(part, knownTx))
  return { ...body, transactions: txs }
}

/**
 * Decodes a body. Its transactions keep views of `bytes`, which must not change afterwards; those that `knownTx` finds
 * are the very objects that it returns.
 */
export function decodeBody(bytes: Uint8Array, knownTx?: KnownTx): Body {
  return bodyFromMembers(rlpMembers(bytes), knownTx)
}

/** Decodes a block, as `decodeBody` does. */
export function decodeBlock(bytes: Uint8Array, knownTx?: KnownTx): Block {
  const [header, ...body] = rlpMembers(bytes)
  if (!header) throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: 3, have: 0 })
  return { header: headerFromRlp(decodeRlp(header)), ...bodyFromMembers(body, knownTx) }
}

export function ommersHashOf(ommers: readonly Header[]): Hash32 {
  return keccak256(encodeRlp(ommers.map(headerToRlp)))
}
