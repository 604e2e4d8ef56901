import { emptyBytes, type Hash32, keyOf } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { cutRlp, cutRlpList, encodeRlp, type RlpItem, scalar } from '../primitives/rlp.ts'
import { type AccessList, type Authorization, chainIdOf, type Tx, type UnsignedTx } from './transaction.ts'
import { memoOf } from './txMemo.ts'

export function accessListToRlp(list: AccessList): RlpItem[] {
  return list.map(({ address, slots }) => [address, [...slots]])
}

function authorizationToRlp(a: Authorization): RlpItem[] {
  return [scalar(a.chainId), a.address, scalar(a.nonce), scalar(a.yParity), scalar(a.r), scalar(a.s)]
}

/** Returns the fields without the signature, in wire order. */
function fields(tx: UnsignedTx | Tx): RlpItem[] {
  const to = tx.to ?? emptyBytes
  const target = [scalar(tx.gasLimit), to, scalar(tx.value), tx.data]
  if (tx.type === 0) return [scalar(tx.nonce), scalar(tx.gasPrice), ...target]
  const start = [scalar(tx.chainId), scalar(tx.nonce)]
  const list = accessListToRlp(tx.accessList)
  if (tx.type === 1) return [...start, scalar(tx.gasPrice), ...target, list]
  const body = [...start, scalar(tx.maxPriorityFee), scalar(tx.maxFee), ...target, list]
  if (tx.type === 3) body.push(scalar(tx.maxBlobFee), [...tx.blobHashes])
  if (tx.type === 4) body.push(tx.authorizations.map(authorizationToRlp))
  return body
}

/** Returns all RLP items of a signed transaction, without the type byte. */
export function txToRlp(tx: Tx): RlpItem[] {
  const v = tx.type === 0 ? scalar(tx.v) : scalar(tx.yParity)
  return [...fields(tx), v, scalar(tx.r), scalar(tx.s)]
}

/** Writes the type in the first byte, which was left for it. */
function typed(type: number, bytes: Uint8Array): Uint8Array {
  bytes[0] = type
  return bytes
}

/** Encodes a transaction: RLP for type 0, the type byte and RLP for the others (EIP-2718). */
export function encodeTx(tx: Tx): Uint8Array {
  return memoOf(tx).bytes ?? encode(tx)
}

/** Remembers the bytes that `tx` was decoded from, because it is encoded often; they must not change afterwards. */
export function rememberTxBytes(tx: Tx, bytes: Uint8Array): void {
  memoOf(tx).bytes = bytes
}

function encode(tx: Tx): Uint8Array {
  if (tx.type === 0) return encodeRlp(txToRlp(tx))
  return typed(tx.type, cutRlp(txToRlp(tx), 1)).slice()
}

/** Returns the transaction hash, computed once per object. */
export function txHash(tx: Tx): Hash32 {
  const memo = memoOf(tx)
  memo.hash ??= keccak256(memo.bytes ?? encode(tx))
  return memo.hash
}

/** Returns the transaction hash as the key of a Map, computed once per object. */
export function txKey(tx: Tx): string {
  const memo = memoOf(tx)
  memo.key ??= keyOf(memo.hash ?? txHash(tx))
  return memo.key
}

/** Remembers a hash that the caller computed from the bytes of `tx`. */
export function rememberTxHash(tx: Tx, hash: Hash32): void {
  memoOf(tx).hash = hash
}

/** Returns the hash that the sender signs. */
export function signingHash(tx: UnsignedTx): Hash32 {
  const body = fields(tx)
  if (tx.type !== 0) return keccak256(typed(tx.type, cutRlp(body, 1)))
  if (tx.chainId !== undefined) body.push(scalar(tx.chainId), emptyBytes, emptyBytes)
  return keccak256(cutRlp(body))
}

/** Returns the encoded size of a number in RLP. */
function scalarSize(n: bigint): number {
  // True for nearly every r and s.
  if (n >> 248n) return 33
  return n < 0x80n ? 1 : 1 + scalar(n).length
}

/** The chain id and two empty strings, which follow the signed fields of a legacy transaction (EIP-155). */
let chainSuffix = { chainId: -1n, bytes: emptyBytes }

function chainSuffixOf(chainId: bigint | undefined): Uint8Array {
  if (chainId === undefined) return emptyBytes
  if (chainSuffix.chainId !== chainId) {
    const encoded = encodeRlp(scalar(chainId))
    chainSuffix = { chainId, bytes: Uint8Array.of(...encoded, 0x80, 0x80) }
  }
  return chainSuffix.bytes
}

/** Returns the hash that the sender signed; cut out of the remembered bytes if there are any. */
export function signedHash(tx: Tx): Hash32 {
  const { bytes } = memoOf(tx)
  if (!bytes) return signingHash(tx.type === 0 ? { ...tx, chainId: chainIdOf(tx) } : tx)
  const list = tx.type === 0 ? 0 : 1
  const start = list + (bytes[list]! > 0xf7 ? 1 + bytes[list]! - 0xf7 : 1)
  const parity = tx.type === 0 ? tx.v : BigInt(tx.yParity)
  const end = bytes.length - scalarSize(parity) - scalarSize(tx.r) - scalarSize(tx.s)
  const signed = new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start)
  if (tx.type === 0) return keccak256(cutRlpList([signed, chainSuffixOf(chainIdOf(tx))]))
  return keccak256(typed(tx.type, cutRlpList([signed], 1)))
}

/** Returns the hash that the authority of a delegation signs. */
export function authorizationHash(a: Pick<Authorization, 'chainId' | 'address' | 'nonce'>): Hash32 {
  return keccak256(typed(5, cutRlp([scalar(a.chainId), a.address, scalar(a.nonce)], 1)))
}
