import type { Address, Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'

/** Why a transaction cannot be part of a block. */
export type TxFault =
  | { code: 'TX_TYPE_NOT_SUPPORTED'; type: number }
  | { code: 'INVALID_SIGNATURE' }
  | { code: 'WRONG_CHAIN_ID'; have: bigint; want: bigint }
  | { code: 'REPLAY_PROTECTION_NOT_SUPPORTED' }
  | { code: 'NONCE_TOO_LOW'; have: bigint; want: bigint }
  | { code: 'NONCE_TOO_HIGH'; have: bigint; want: bigint }
  | { code: 'NONCE_OVERFLOW' }
  | { code: 'INTRINSIC_GAS_TOO_LOW'; have: bigint; want: bigint }
  | { code: 'FLOOR_GAS_TOO_LOW'; have: bigint; want: bigint }
  | { code: 'GAS_LIMIT_OUT_OF_RANGE'; have: bigint }
  | { code: 'GAS_COST_OVERFLOW' }
  | { code: 'GAS_LIMIT_EXCEEDS_BLOCK'; have: bigint; left: bigint }
  | { code: 'GAS_LIMIT_EXCEEDS_CAP'; have: bigint; cap: bigint }
  | { code: 'MAX_FEE_BELOW_BASE_FEE'; have: bigint; baseFee: bigint }
  | { code: 'PRIORITY_FEE_ABOVE_MAX_FEE'; priority: bigint; max: bigint }
  | { code: 'INSUFFICIENT_FUNDS'; have: bigint; want: bigint }
  | { code: 'SENDER_HAS_CODE' }
  | { code: 'INIT_CODE_TOO_LARGE'; have: number; limit: number }
  | { code: 'BLOBS_MISSING' }
  | { code: 'TOO_MANY_BLOBS'; have: number; limit: number }
  | { code: 'BLOB_HASH_VERSION'; have: number }
  | { code: 'MAX_BLOB_FEE_TOO_LOW'; have: bigint; want: bigint }
  | { code: 'BLOB_GAS_EXCEEDS_BLOCK'; have: bigint; left: bigint }
  | { code: 'AUTHORIZATIONS_MISSING' }
export class TxError extends Fault<TxFault> {}

/** Fields of a header that exist from a fork on. */
export type OptionalHeaderField =
  | 'baseFee'
  | 'withdrawalsRoot'
  | 'blobGasUsed'
  | 'excessBlobGas'
  | 'parentBeaconRoot'
  | 'requestsHash'

/** Why a block cannot be part of the chain. */
export type BlockFault =
  | { code: 'PARENT_UNKNOWN'; parent: Hash32 }
  | { code: 'KNOWN_BAD_BLOCK'; reason: string }
  | { code: 'NUMBER_NOT_NEXT'; have: bigint; want: bigint }
  | { code: 'TIMESTAMP_NOT_LATER'; have: bigint; parent: bigint }
  | { code: 'EXTRA_DATA_TOO_LONG'; have: number; limit: number }
  | { code: 'DAO_EXTRA_DATA' }
  | { code: 'GAS_LIMIT_OUT_OF_BOUNDS'; have: bigint; parent: bigint }
  | { code: 'GAS_USED_EXCEEDS_LIMIT'; used: bigint; limit: bigint }
  | { code: 'DIFFICULTY_MISMATCH'; have: bigint; want: bigint }
  | { code: 'PROOF_OF_WORK_AFTER_MERGE' }
  | { code: 'PROOF_OF_STAKE_BEFORE_MERGE' }
  | { code: 'PROOF_OF_WORK_INVALID' }
  | { code: 'NONCE_NOT_ZERO' }
  | { code: 'FIELD_MISSING'; field: OptionalHeaderField }
  | { code: 'FIELD_NOT_ALLOWED'; field: OptionalHeaderField }
  | { code: 'BASE_FEE_MISMATCH'; have: bigint; want: bigint }
  | { code: 'BLOB_GAS_NOT_A_MULTIPLE'; have: bigint }
  | { code: 'BLOB_GAS_EXCEEDS_LIMIT'; have: bigint; limit: bigint }
  | { code: 'EXCESS_BLOB_GAS_MISMATCH'; have: bigint; want: bigint }
  | { code: 'TRANSACTIONS_ROOT_MISMATCH' }
  | { code: 'WITHDRAWALS_ROOT_MISMATCH' }
  | { code: 'WITHDRAWALS_MISSING' }
  | { code: 'WITHDRAWALS_NOT_ALLOWED' }
  | { code: 'OMMERS_HASH_MISMATCH' }
  | { code: 'OMMERS_NOT_ALLOWED' }
  | { code: 'TOO_MANY_OMMERS'; have: number }
  | { code: 'OMMER_TWICE' }
  | { code: 'OMMER_IS_ANCESTOR' }
  | { code: 'OMMER_UNRELATED' }
  | { code: 'OMMER_INVALID'; reason: string }
  | { code: 'BLOCK_TOO_LARGE'; have: number; limit: number }
  | { code: 'TRANSACTION_INVALID'; index: number; reason: TxFault['code'] }
  | { code: 'GAS_USED_MISMATCH'; have: bigint; want: bigint }
  | { code: 'BLOB_GAS_USED_MISMATCH'; have: bigint; want: bigint }
  | { code: 'LOGS_BLOOM_MISMATCH' }
  | { code: 'RECEIPTS_ROOT_MISMATCH' }
  | { code: 'STATE_ROOT_MISMATCH'; have: Hash32; want: Hash32 }
  | { code: 'REQUESTS_HASH_MISMATCH' }
  | { code: 'SYSTEM_CONTRACT_MISSING'; contract: string }
  | { code: 'SYSTEM_CALL_FAILED'; contract: string }
  | { code: 'DEPOSIT_LOG_INVALID' }
  // Networks whose blocks are made by a known set of accounts
  | { code: 'TIMESTAMP_IN_FUTURE'; have: bigint; limit: bigint }
  | { code: 'BLOCK_PERIOD_NOT_OVER'; have: bigint; want: bigint }
  | { code: 'EXTRA_DATA_INVALID'; reason: string }
  | { code: 'MIX_HASH_MISMATCH'; have: Hash32; want: Hash32 }
  | { code: 'EMPTY_BLOCK_NOT_ALLOWED' }
  | { code: 'VOTE_NOT_ALLOWED' }
  | { code: 'VOTE_UNKNOWN' }
  | { code: 'VALIDATORS_MISMATCH' }
  | { code: 'VALIDATORS_UNKNOWN'; reason: string }
  | { code: 'SIGNER_NOT_VALIDATOR'; signer: Address }
  | { code: 'SIGNED_RECENTLY'; signer: Address; block: bigint }
  | { code: 'SEAL_INVALID' }
  | { code: 'SEAL_TWICE'; signer: Address }
  | { code: 'TOO_FEW_SEALS'; have: number; want: number }
export class BlockError extends Fault<BlockFault> {}

/** Faults of one copy of a block, or of the moment: what they lie in is not covered by the block's hash. */
const curable: ReadonlySet<BlockFault['code']> = new Set<BlockFault['code']>([
  'TIMESTAMP_IN_FUTURE',
  'VALIDATORS_UNKNOWN',
  'TRANSACTIONS_ROOT_MISMATCH',
  'OMMERS_HASH_MISMATCH',
  'WITHDRAWALS_ROOT_MISMATCH',
  'WITHDRAWALS_MISSING',
  'WITHDRAWALS_NOT_ALLOWED',
  'BLOCK_TOO_LARGE',
  // BFT hashes leave out the seals: whoever passes a block on could spoil them.
  'SEAL_INVALID',
  'SEAL_TWICE',
  'TOO_FEW_SEALS',
  'SIGNER_NOT_VALIDATOR',
])

/** True when no block with the same hash can ever be valid. */
export function condemns({ code }: BlockFault): boolean {
  return !curable.has(code)
}
