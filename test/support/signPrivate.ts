import { curve } from '../../src/primitives/secp256k1.ts'
import { bytesToBigInt } from '../../src/primitives/u256.ts'
import { encodePrivateTx, type PrivateTx, privateSigningHash } from '../../src/privacy/privateTx.ts'

/** What tests choose of a private transaction. */
export type PrivateFields = Pick<PrivateTx, 'nonce' | 'to' | 'data' | 'privateFrom' | 'recipients'> & Partial<PrivateTx>

/** A private transaction for a chain, signed and encoded. */
export function signPrivate(fields: PrivateFields, chainId: bigint, key: Uint8Array): Uint8Array {
  const tx = { gasPrice: 0n, gasLimit: 100_000n, value: 0n, restriction: 'restricted', ...fields }
  const { rs, parity } = curve.sign(privateSigningHash({ ...tx, v: 35n + 2n * chainId }), key)
  const v = 35n + 2n * chainId + BigInt(parity)
  return encodePrivateTx({ ...tx, v, r: bytesToBigInt(rs.subarray(0, 32)), s: bytesToBigInt(rs.subarray(32)) })
}
