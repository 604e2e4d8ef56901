import { curve } from '../../primitives/secp256k1.ts'
import { bytesToBigInt } from '../../primitives/u256.ts'
import { type PrivateTx, privateSigningHash } from './privateTx.ts'

/** Signs a private transaction for a chain. */
export function signPrivateTx(tx: Omit<PrivateTx, 'v' | 'r' | 's'>, chainId: bigint, key: Uint8Array): PrivateTx {
  const base = 35n + 2n * chainId
  const { rs, parity } = curve.sign(privateSigningHash({ ...tx, v: base }), key)
  const [r, s] = [bytesToBigInt(rs.subarray(0, 32)), bytesToBigInt(rs.subarray(32))]
  return { ...tx, v: base + BigInt(parity), r, s }
}
