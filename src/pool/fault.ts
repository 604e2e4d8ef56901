import type { TxFault } from '../execution/fault.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'

/**
 * Why the pool does not take a transaction. The codes are Besu's reason names, which `debug_batchSendRawTransaction`
 * answers as they stand; Besu has none for a pool that is full.
 */
export type PoolFault =
  | { code: 'TRANSACTION_ALREADY_KNOWN' }
  | { code: 'TX_FEECAP_EXCEEDED'; have: bigint; cap: bigint }
  | { code: 'GAS_PRICE_TOO_LOW'; have: bigint; minimum: bigint }
  | { code: 'INVALID_SIGNATURE' }
  | { code: 'WRONG_CHAIN_ID'; have: bigint; want: bigint }
  | { code: 'REPLAY_PROTECTED_SIGNATURES_NOT_SUPPORTED' }
  | { code: 'REPLAY_PROTECTED_SIGNATURE_REQUIRED' }
  | { code: 'INVALID_TRANSACTION_FORMAT'; type: number }
  | { code: 'NONCE_OVERFLOW' }
  | { code: 'INITCODE_TOO_LARGE'; have: number; limit: number }
  | { code: 'MAX_PRIORITY_FEE_PER_GAS_EXCEEDS_MAX_FEE_PER_GAS'; priority: bigint; max: bigint }
  | { code: 'INTRINSIC_GAS_EXCEEDS_GAS_LIMIT'; have: bigint; want: bigint }
  | { code: 'EXCEEDS_PER_TRANSACTION_GAS_LIMIT'; have: bigint; cap: bigint }
  | { code: 'EXCEEDS_BLOCK_GAS_LIMIT'; have: bigint; limit: bigint }
  | { code: 'INVALID_BLOBS'; why: BlobMistake }
  | { code: 'TOTAL_BLOB_GAS_TOO_HIGH'; have: number; limit: number }
  | { code: 'EMPTY_CODE_DELEGATION' }
  | { code: 'TX_SENDER_NOT_AUTHORIZED'; why: 'permissions' | 'code' }
  | { code: 'UPFRONT_COST_EXCEEDS_BALANCE'; have: bigint; want: bigint }
  | { code: 'NONCE_TOO_LOW'; have: bigint; want: bigint }
  | { code: 'NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER'; have: bigint; below: bigint }
  | { code: 'TRANSACTION_REPLACEMENT_UNDERPRICED' }
  | { code: 'TX_POOL_FULL' }
export class PoolError extends Fault<PoolFault> {}

/** What is wrong with the blobs, or with how a transaction names them. */
export type BlobMistake = 'none' | 'sidecar missing' | 'sidecar version' | 'counts' | 'hash' | 'hash version' | 'proof'

/** Why a transaction left the pool: its end, or the fault that it came to have. */
export type DropReason =
  | { code: 'MINED' }
  | { code: 'REPLACED'; by: Hash32 }
  | { code: 'EVICTED' }
  | { code: 'EXPIRED' }
  | PoolFault
  | TxFault
