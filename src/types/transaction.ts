import type { Address, Hash32 } from '../primitives/bytes.ts'

/** Addresses and slots that a transaction declares in advance (EIP-2930). */
export type AccessList = readonly { readonly address: Address; readonly slots: readonly Hash32[] }[]

/** A signed delegation: the signing account runs the code of `address` (EIP-7702). */
export interface Authorization {
  readonly chainId: bigint
  readonly address: Address
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

interface Common {
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** Undefined creates a contract. */
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Uint8Array
  readonly r: bigint
  readonly s: bigint
}

interface Typed extends Common {
  readonly chainId: bigint
  readonly accessList: AccessList
  readonly yParity: number
}

export interface LegacyTx extends Common {
  readonly type: 0
  readonly gasPrice: bigint
  /** 27, 28, or with the chain id in it (EIP-155). */
  readonly v: bigint
}

export interface AccessListTx extends Typed {
  readonly type: 1
  readonly gasPrice: bigint
}

interface FeeMarket extends Typed {
  readonly maxPriorityFee: bigint
  readonly maxFee: bigint
}

export interface FeeMarketTx extends FeeMarket {
  readonly type: 2
}

export interface BlobTx extends FeeMarket {
  readonly type: 3
  readonly maxBlobFee: bigint
  readonly blobHashes: readonly Hash32[]
}

export interface SetCodeTx extends FeeMarket {
  readonly type: 4
  readonly authorizations: readonly Authorization[]
}

/** A signed transaction; `type` discriminates the union. */
export type Tx = LegacyTx | AccessListTx | FeeMarketTx | BlobTx | SetCodeTx
export type TxType = Tx['type']

/** Any union member without its signature. */
export type Unsigned<T> = T extends LegacyTx
  ? Omit<T, 'r' | 's' | 'v'> & { readonly chainId: bigint | undefined }
  : T extends Tx
    ? Omit<T, 'r' | 's' | 'yParity'>
    : never
export type UnsignedTx = Unsigned<Tx>

/** Returns the chain id; undefined for a legacy transaction without replay protection. */
export function chainIdOf(tx: Tx): bigint | undefined {
  if (tx.type !== 0) return tx.chainId
  return tx.v >= 35n ? (tx.v - 35n) / 2n : undefined
}

/** Returns the maximum price per unit of gas. */
export function maxGasPriceOf(tx: Tx): bigint {
  return tx.type === 0 || tx.type === 1 ? tx.gasPrice : tx.maxFee
}

/** Returns what the block producer gets per unit of gas; negative if the transaction cannot pay the base fee. */
export function priorityFeeOf(tx: Tx, baseFee: bigint): bigint {
  if (tx.type === 0 || tx.type === 1) return tx.gasPrice - baseFee
  const room = tx.maxFee - baseFee
  return room < tx.maxPriorityFee ? room : tx.maxPriorityFee
}

/** Returns what the sender pays per unit of gas in a block with that base fee. */
export function effectiveGasPriceOf(tx: Tx, baseFee: bigint): bigint {
  return tx.type === 0 || tx.type === 1 ? tx.gasPrice : baseFee + priorityFeeOf(tx, baseFee)
}

export const noAccessList: AccessList = []

export function accessListOf(tx: Tx): AccessList {
  return tx.type === 0 ? noAccessList : tx.accessList
}

export function blobHashesOf(tx: Tx): readonly Hash32[] {
  return tx.type === 3 ? tx.blobHashes : []
}
