import type { Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeRlp, encodeRlp, RlpError, type RlpItem, rlpList } from '../primitives/rlp.ts'
import { decodeTx, txFromRlp } from './decodeTx.ts'
import { encodeTx, txToRlp } from './encodeTx.ts'
import { type Header, headerFromRlp, headerToRlp } from './header.ts'
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

/** A transaction inside a list: legacy ones are lists themselves, typed ones byte strings. */
function txToItem(tx: Tx): RlpItem {
  return tx.type === 0 ? txToRlp(tx) : encodeTx(tx)
}

function txFromItem(item: RlpItem): Tx {
  return item instanceof Uint8Array ? typedTx(item) : txFromRlp(0, item)
}

function typedTx(bytes: Uint8Array): Tx {
  const first = bytes[0]
  // A legacy transaction wrapped into a byte string is not canonical.
  if (first === undefined || first >= 0x80) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  return decodeTx(bytes)
}

export function bodyToRlp({ transactions, ommers, withdrawals }: Body): RlpItem[] {
  const items: RlpItem[] = [transactions.map(txToItem), ommers.map(headerToRlp)]
  if (withdrawals) items.push(withdrawals.map(withdrawalToRlp))
  return items
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

export function blockToRlp(block: Block): RlpItem[] {
  return [headerToRlp(block.header), ...bodyToRlp(block)]
}

export function blockFromRlp(item: RlpItem): Block {
  const [header, ...body] = rlpList(item)
  if (header === undefined) throw new RlpError({ code: 'RLP_WRONG_LENGTH', want: 3, have: 0 })
  return { header: headerFromRlp(header), ...bodyFromRlp(body) }
}

export function encodeBlock(block: Block): Uint8Array {
  return encodeRlp(blockToRlp(block))
}

export function decodeBlock(bytes: Uint8Array): Block {
  return blockFromRlp(decodeRlp(bytes))
}

export function ommersHashOf(ommers: readonly Header[]): Hash32 {
  return keccak256(encodeRlp(ommers.map(headerToRlp)))
}
