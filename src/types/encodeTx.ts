import { emptyBytes, type Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { encodeRlp, encodeRlpList, type RlpItem, scalar } from '../primitives/rlp.ts'
import { type AccessList, type Authorization, chainIdOf, type Tx, type UnsignedTx } from './transaction.ts'

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

function prefixed(type: number, payload: Uint8Array): Uint8Array {
  const out = new Uint8Array(payload.length + 1)
  out[0] = type
  out.set(payload, 1)
  return out
}

const encodings = new WeakMap<Tx, Uint8Array>()

/** Encodes a transaction: RLP for type 0, the type byte and RLP for the others (EIP-2718). */
export function encodeTx(tx: Tx): Uint8Array {
  return encodings.get(tx) ?? encode(tx)
}

/** Remembers the bytes that `tx` was decoded from, because it is encoded often; they must not change afterwards. */
export function rememberTxBytes(tx: Tx, bytes: Uint8Array): void {
  encodings.set(tx, bytes)
}

function encode(tx: Tx): Uint8Array {
  const payload = encodeRlp(txToRlp(tx))
  return tx.type === 0 ? payload : prefixed(tx.type, payload)
}

const hashes = new WeakMap<Tx, Hash32>()

/** Returns the transaction hash, computed once per object. */
export function txHash(tx: Tx): Hash32 {
  let hash = hashes.get(tx)
  if (hash === undefined) {
    hash = keccak256(encodeTx(tx))
    hashes.set(tx, hash)
  }
  return hash
}

/** Remembers a hash that the caller computed from the bytes of `tx`. */
export function rememberTxHash(tx: Tx, hash: Hash32): void {
  hashes.set(tx, hash)
}

/** Returns the hash that the sender signs. */
export function signingHash(tx: UnsignedTx): Hash32 {
  const body = fields(tx)
  if (tx.type !== 0) return keccak256(prefixed(tx.type, encodeRlp(body)))
  if (tx.chainId !== undefined) body.push(scalar(tx.chainId), emptyBytes, emptyBytes)
  return keccak256(encodeRlp(body))
}

/** Returns the encoded size of a number in RLP. */
function scalarSize(n: bigint): number {
  // True for nearly every r and s.
  if (n >> 248n) return 33
  return n < 0x80n ? 1 : 1 + scalar(n).length
}

/** Returns the hash that the sender signed; cut out of the remembered bytes of a typed transaction if there are any. */
export function signedHash(tx: Tx): Hash32 {
  if (tx.type === 0) return signingHash({ ...tx, chainId: chainIdOf(tx) })
  const bytes = encodings.get(tx)
  if (!bytes) return signingHash(tx)
  const header = bytes[1]! > 0xf7 ? 1 + bytes[1]! - 0xf7 : 1
  const signature = scalarSize(BigInt(tx.yParity)) + scalarSize(tx.r) + scalarSize(tx.s)
  const signed = bytes.subarray(1 + header, bytes.length - signature)
  return keccak256(prefixed(tx.type, encodeRlpList([signed])))
}

/** Returns the hash that the authority of a delegation signs. */
export function authorizationHash(a: Pick<Authorization, 'chainId' | 'address' | 'nonce'>): Hash32 {
  return keccak256(prefixed(5, encodeRlp([scalar(a.chainId), a.address, scalar(a.nonce)])))
}
