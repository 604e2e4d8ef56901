import { encodePrivateTx, type PrivateTx } from '../../src/privacy/sending/privateTx.ts'
import { signPrivateTx } from '../../src/privacy/sending/signPrivateTx.ts'

/** What tests choose of a private transaction. */
export type PrivateFields = Pick<PrivateTx, 'nonce' | 'to' | 'data' | 'privateFrom' | 'recipients'> & Partial<PrivateTx>

/** A private transaction for a chain, signed and encoded. */
export function signPrivate(fields: PrivateFields, chainId: bigint, key: Uint8Array): Uint8Array {
  const tx = { gasPrice: 0n, gasLimit: 100_000n, value: 0n, restriction: 'restricted', ...fields }
  return encodePrivateTx(signPrivateTx(tx, chainId, key))
}
