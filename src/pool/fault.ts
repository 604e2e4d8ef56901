import type { TxFault } from '../execution/fault.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'

/**
 * Why the pool refuses a transaction. The codes are Besu's names, which `debug_batchSendRawTransaction` returns; only
 * TX_POOL_FULL, TX_TOO_LARGE and TOO_MANY_TRANSACTIONS are ours.
 */
export type PoolFault =
  /** The pool has the transaction already. */
  | { code: 'TRANSACTION_ALREADY_KNOWN' }
  /** The gas price exceeds `--rpc-tx-feecap`, or of a transaction from a peer `--p2p-tx-feecap`. */
  | { code: 'TX_FEECAP_EXCEEDED'; have: bigint; cap: bigint }
  /** The gas price is below `--min-gas-price`, or below what a priority sender needs. */
  | { code: 'GAS_PRICE_TOO_LOW'; have: bigint; minimum: bigint }
  /** The signature is invalid. */
  | { code: 'INVALID_SIGNATURE' }
  /** The transaction is for another chain id. */
  | { code: 'WRONG_CHAIN_ID'; have: bigint; want: bigint }
  /** The fork does not support a chain id in the signature. */
  | { code: 'REPLAY_PROTECTED_SIGNATURES_NOT_SUPPORTED' }
  /** A local transaction needs a chain id (`--strict-tx-replay-protection-enabled`). */
  | { code: 'REPLAY_PROTECTED_SIGNATURE_REQUIRED' }
  /** The fork has no transactions of this type. */
  | { code: 'INVALID_TRANSACTION_FORMAT'; type: number }
  /** The nonce is not below 2^64 - 1. */
  | { code: 'NONCE_OVERFLOW' }
  /** The transaction, with its blobs, exceeds what nodes send each other. */
  | { code: 'TX_TOO_LARGE'; have: number; limit: number }
  /** The init code exceeds the size limit (EIP-3860). */
  | { code: 'INITCODE_TOO_LARGE'; have: number; limit: number }
  /** The maximum priority fee exceeds the maximum fee per gas. */
  | { code: 'MAX_PRIORITY_FEE_PER_GAS_EXCEEDS_MAX_FEE_PER_GAS'; priority: bigint; max: bigint }
  /** The gas limit is below the intrinsic gas, or below the minimum for the data (EIP-7623). */
  | { code: 'INTRINSIC_GAS_EXCEEDS_GAS_LIMIT'; have: bigint; want: bigint }
  /** The gas limit exceeds the maximum of one transaction (EIP-7825). */
  | { code: 'EXCEEDS_PER_TRANSACTION_GAS_LIMIT'; have: bigint; cap: bigint }
  /** The gas limit exceeds that of the block. */
  | { code: 'EXCEEDS_BLOCK_GAS_LIMIT'; have: bigint; limit: bigint }
  /** The blobs, commitments or proofs are invalid. */
  | { code: 'INVALID_BLOBS'; why: BlobMistake }
  /** The transaction has too many blobs. */
  | { code: 'TOTAL_BLOB_GAS_TOO_HIGH'; have: number; limit: number }
  /** The authorization list is empty. */
  | { code: 'EMPTY_CODE_DELEGATION' }
  /** Account permissioning refuses the transaction, or the sender is a contract (EIP-3607). */
  | { code: 'TX_SENDER_NOT_AUTHORIZED'; why: 'permissions' | 'code' }
  /** Account permissioning could not be asked: its contract fails. */
  | { code: 'PERMISSIONS_UNCLEAR' }
  /** A plugin does not let it in. */
  | { code: 'PLUGIN_REFUSED'; reason: string }
  /** A plugin has thrown, hung or given no answer. */
  | { code: 'PLUGIN_FAILED' }
  /** The sender's balance is below the maximum cost and value. */
  | { code: 'UPFRONT_COST_EXCEEDS_BALANCE'; have: bigint; want: bigint }
  /** The nonce is below that of the sender's account. */
  | { code: 'NONCE_TOO_LOW'; have: bigint; want: bigint }
  /** The nonce is too far above the sender's next one. */
  | { code: 'NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER'; have: bigint; below: bigint }
  /** The pool has a transaction with that nonce, and the new one does not raise the price enough. */
  | { code: 'TRANSACTION_REPLACEMENT_UNDERPRICED' }
  /** The pool is full of better transactions. */
  | { code: 'TX_POOL_FULL' }
  /** More wait than the chain mines in a few seconds, or than can be checked; `retryAfter` is in seconds. */
  | { code: 'TOO_MANY_TRANSACTIONS'; retryAfter: number }
export class PoolError extends Fault<PoolFault> {}

/** What is wrong with the blobs or the blob hashes. */
export type BlobMistake = 'none' | 'sidecar missing' | 'sidecar version' | 'counts' | 'hash' | 'hash version' | 'proof'

/** Why a transaction left the pool; a fault if it became invalid. */
export type DropReason =
  /** It is in a block. */
  | { code: 'MINED' }
  /** The sender has replaced it. */
  | { code: 'REPLACED'; by: Hash32 }
  /** The pool was full, and it was the worst. */
  | { code: 'EVICTED' }
  /** It was in the pool for longer than the retention time. */
  | { code: 'EXPIRED' }
  | PoolFault
  | TxFault
