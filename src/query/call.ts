import type { Address } from '../primitives/bytes.ts'
import type { AccessList, Authorization } from '../types/transaction.ts'

/** A transaction to try out: everything may be left open. */
export interface Call {
  readonly from: Address | undefined
  /** Undefined creates a contract. */
  readonly to: Address | undefined
  readonly gas: bigint | undefined
  readonly gasPrice: bigint | undefined
  readonly maxFee: bigint | undefined
  readonly maxPriorityFee: bigint | undefined
  readonly maxBlobFee: bigint | undefined
  readonly value: bigint
  readonly data: Uint8Array
  readonly nonce: bigint | undefined
  readonly accessList: AccessList | undefined
  readonly blobHashes: readonly Uint8Array[] | undefined
  readonly authorizations: readonly Authorization[] | undefined
}
