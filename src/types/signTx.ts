import type { Address } from '../primitives/bytes.ts'
import { curve, curveOrder, recoverAddress } from '../primitives/secp256k1.ts'
import { bigIntToBytes, bigIntToFixed, bytesToBigInt } from '../primitives/u256.ts'
import { recoveryInputSize } from '../recovery/recoverBatch.ts'
import { authorizationHash, signedHash, signingHash } from './encodeTx.ts'
import type { Authorization, Tx, UnsignedTx } from './transaction.ts'
import { memoOf } from './txMemo.ts'

/** Signs a transaction with a 32-byte private key. */
export function signTx(tx: UnsignedTx, privateKey: Uint8Array): Tx {
  const { rs, parity } = curve.sign(signingHash(tx), privateKey)
  const r = bytesToBigInt(rs.subarray(0, 32))
  const s = bytesToBigInt(rs.subarray(32))
  if (tx.type !== 0) return { ...tx, yParity: parity, r, s } as Tx
  const { chainId, ...fields } = tx
  const v = chainId === undefined ? 27n + BigInt(parity) : 35n + 2n * chainId + BigInt(parity)
  return { ...fields, v, r, s }
}

/** Signs a delegation of the key's account to `address`. */
export function signAuthorization(
  unsigned: Pick<Authorization, 'chainId' | 'address' | 'nonce'>,
  privateKey: Uint8Array,
): Authorization {
  const { rs, parity } = curve.sign(authorizationHash(unsigned), privateKey)
  return {
    ...unsigned,
    yParity: BigInt(parity),
    r: bytesToBigInt(rs.subarray(0, 32)),
    s: bytesToBigInt(rs.subarray(32)),
  }
}

function parityOf(tx: Tx): number | undefined {
  if (tx.type !== 0) return tx.yParity
  if (tx.v === 27n || tx.v === 28n) return Number(tx.v - 27n)
  return tx.v >= 35n ? Number((tx.v - 35n) & 1n) : undefined
}

function inRange(n: bigint): boolean {
  return n > 0n && n < curveOrder
}

/** Returns whether s is in the lower half, as required since Homestead. */
export function hasLowS(tx: { readonly s: bigint }): boolean {
  return tx.s <= curveOrder / 2n
}

/** Returns whether r, s and the parity are in range; only recovery shows whether the signature is valid. */
export function isSigned(tx: Tx): boolean {
  return parityOf(tx) !== undefined && inRange(tx.r) && inRange(tx.s)
}

/** Returns the 97 bytes that recovery needs: digest, r, s, parity. Undefined if the signature is out of range. */
export function recoveryInput(tx: Tx): Uint8Array | undefined {
  const input = new Uint8Array(recoveryInputSize)
  return writeRecoveryInput(tx, input, 0) ? input : undefined
}

/** Writes the bytes that recovery needs into `out` at `at`; returns false if the signature is out of range. */
export function writeRecoveryInput(tx: Tx, out: Uint8Array, at: number): boolean {
  const parity = parityOf(tx)
  if (parity === undefined || !isSigned(tx)) return false
  out.set(signedHash(tx), at)
  const { bytes } = memoOf(tx)
  // Both numbers have 32 bytes in nearly every signature: then they stand in the encoding as they are needed.
  if (bytes && tx.r >> 248n && tx.s >> 248n) {
    out.set(new Uint8Array(bytes.buffer, bytes.byteOffset + bytes.length - 65, 32), at + 32)
    out.set(new Uint8Array(bytes.buffer, bytes.byteOffset + bytes.length - 32, 32), at + 64)
  } else {
    out.set(bigIntToFixed(tx.r, 32), at + 32)
    out.set(bigIntToFixed(tx.s, 32), at + 64)
  }
  out[at + 96] = parity
  return true
}

/** Returns the sender, or undefined if the signature is invalid; computed once per object. */
export function senderOf(tx: Tx): Address | undefined {
  const memo = memoOf(tx)
  if (memo.sender !== undefined) return memo.sender ?? undefined
  const parity = parityOf(tx)
  let sender: Address | undefined
  if (parity !== undefined && isSigned(tx))
    sender = recoverAddress(signedHash(tx), bigIntToBytes(tx.r), bigIntToBytes(tx.s), parity)
  memo.sender = sender ?? null
  return sender
}

/** Returns whether the sender was recovered before, or that the signature is invalid. */
export function isSenderKnown(tx: Tx): boolean {
  return memoOf(tx).sender !== undefined
}

/** Remembers a sender that was recovered elsewhere (another thread, the pool). */
export function rememberSender(tx: Tx, sender: Address): void {
  memoOf(tx).sender = sender
}

/** Returns the account that signed a delegation, or undefined if the signature is invalid; s must be low (EIP-7702). */
export function authorityOf(a: Authorization): Address | undefined {
  if (a.yParity > 1n || !inRange(a.r) || !inRange(a.s) || !hasLowS(a)) return undefined
  return recoverAddress(authorizationHash(a), bigIntToBytes(a.r), bigIntToBytes(a.s), Number(a.yParity))
}
