import type { TxFault } from '../execution/fault.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'

/**
 * Why the pool does not take a transaction. The codes are Besu's reason names, which `debug_batchSendRawTransaction`
 * answers as they stand; each is noted with what `eth_sendRawTransaction` says.
 */
export type PoolFault =
  /** -32000 Known transaction */
  | { code: 'TRANSACTION_ALREADY_KNOWN' }
  /** -32000 Transaction fee cap exceeded */
  | { code: 'TX_FEECAP_EXCEEDED'; have: bigint; cap: bigint }
  /** -32009 Gas price below configured minimum gas price */
  | { code: 'GAS_PRICE_TOO_LOW'; have: bigint; minimum: bigint }
  /** -32002 Invalid signature */
  | { code: 'INVALID_SIGNATURE' }
  /** -32000 Wrong chainId */
  | { code: 'WRONG_CHAIN_ID'; have: bigint; want: bigint }
  /** -32000 ChainId not supported */
  | { code: 'REPLAY_PROTECTED_SIGNATURES_NOT_SUPPORTED' }
  /** -32000 ChainId is required */
  | { code: 'REPLAY_PROTECTED_SIGNATURE_REQUIRED' }
  /** -32602 Invalid transaction type */
  | { code: 'INVALID_TRANSACTION_FORMAT'; type: number }
  /** -32603 Internal error */
  | { code: 'NONCE_OVERFLOW' }
  /** -32603 Internal error */
  | { code: 'INITCODE_TOO_LARGE'; have: number; limit: number }
  /** -32000 Max priority fee per gas exceeds max fee per gas */
  | { code: 'MAX_PRIORITY_FEE_PER_GAS_EXCEEDS_MAX_FEE_PER_GAS'; priority: bigint; max: bigint }
  /** -32003 Intrinsic gas exceeds gas limit */
  | { code: 'INTRINSIC_GAS_EXCEEDS_GAS_LIMIT'; have: bigint; want: bigint }
  /** -32603 Internal error */
  | { code: 'EXCEEDS_PER_TRANSACTION_GAS_LIMIT'; have: bigint; cap: bigint }
  /** -32005 Transaction gas limit exceeds block gas limit */
  | { code: 'EXCEEDS_BLOCK_GAS_LIMIT'; have: bigint; limit: bigint }
  /** -32603 Internal error */
  | { code: 'INVALID_BLOBS'; why: BlobMistake }
  /** -32000 Total blob gas too high */
  | { code: 'TOTAL_BLOB_GAS_TOO_HIGH'; have: number; limit: number }
  /** -32603 Internal error */
  | { code: 'EMPTY_CODE_DELEGATION' }
  /** -32007 Sender account not authorized to send transactions */
  | { code: 'TX_SENDER_NOT_AUTHORIZED'; why: 'permissions' | 'code' }
  /** -32004 Upfront cost exceeds account balance */
  | { code: 'UPFRONT_COST_EXCEEDS_BALANCE'; have: bigint; want: bigint }
  /** -32001 Nonce too low */
  | { code: 'NONCE_TOO_LOW'; have: bigint; want: bigint }
  /** -32000 Transaction nonce is too distant from current sender nonce */
  | { code: 'NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER'; have: bigint; below: bigint }
  /** -32000 Replacement transaction underpriced */
  | { code: 'TRANSACTION_REPLACEMENT_UNDERPRICED' }
  /** -32000 Transaction pool is full; Besu has no text for it. */
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
