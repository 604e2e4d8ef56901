import type { Address, Hash32 } from '../primitives/bytes.ts'
import { describeFault, Fault } from '../primitives/fault.ts'

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
  | { code: 'NOT_PERMITTED' }

const txTexts: Readonly<Record<TxFault['code'], string>> = {
  TX_TYPE_NOT_SUPPORTED: 'the fork has no transactions of this type',
  INVALID_SIGNATURE: 'the signature is invalid',
  WRONG_CHAIN_ID: 'the transaction is for another chain id',
  REPLAY_PROTECTION_NOT_SUPPORTED: 'the fork does not support a chain id in the signature',
  NONCE_TOO_LOW: "the nonce is below that of the sender's account",
  NONCE_TOO_HIGH: "the nonce is above that of the sender's account",
  NONCE_OVERFLOW: 'the nonce is not below 2^64 - 1',
  INTRINSIC_GAS_TOO_LOW: 'the gas limit is below the intrinsic gas',
  FLOOR_GAS_TOO_LOW: 'the gas limit is below the minimum for the data (EIP-7623)',
  GAS_LIMIT_OUT_OF_RANGE: 'the gas limit is not below 2^64',
  GAS_COST_OVERFLOW: 'the maximum cost exceeds 256 bits',
  GAS_LIMIT_EXCEEDS_BLOCK: 'the gas limit exceeds the gas left in the block',
  GAS_LIMIT_EXCEEDS_CAP: 'the gas limit exceeds the maximum of one transaction (EIP-7825)',
  MAX_FEE_BELOW_BASE_FEE: 'the maximum fee per gas is below the base fee',
  PRIORITY_FEE_ABOVE_MAX_FEE: 'the maximum priority fee exceeds the maximum fee per gas',
  INSUFFICIENT_FUNDS: "the sender's balance is below the maximum cost and value",
  SENDER_HAS_CODE: 'the sender is a contract (EIP-3607)',
  INIT_CODE_TOO_LARGE: 'the init code exceeds the size limit (EIP-3860)',
  BLOBS_MISSING: 'a blob transaction has no blobs',
  TOO_MANY_BLOBS: 'the transaction has too many blobs',
  BLOB_HASH_VERSION: 'a blob hash has an unknown version',
  MAX_BLOB_FEE_TOO_LOW: 'the maximum fee per blob gas is below the blob base fee',
  BLOB_GAS_EXCEEDS_BLOCK: 'the blob gas exceeds the blob gas left in the block',
  AUTHORIZATIONS_MISSING: 'the authorization list is empty',
  NOT_PERMITTED: 'account permissioning refuses the transaction',
}

/** An invalid transaction; the message has the code, a sentence and the details. */
export class TxError extends Fault<TxFault> {
  constructor(at: TxFault, cause?: unknown) {
    super(at, cause, describeFault(at, txTexts[at.code]))
  }
}

/** Header fields that exist from some fork on. */
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
  | { code: 'NOT_THE_REQUIRED_BLOCK'; have: Hash32; want: Hash32 }
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
  // Clique, IBFT 2.0 and QBFT
  | { code: 'TIMESTAMP_IN_FUTURE'; have: bigint; limit: bigint }
  | { code: 'BLOCK_PERIOD_NOT_OVER'; have: bigint; want: bigint }
  | { code: 'EXTRA_DATA_INVALID'; reason: string }
  | { code: 'VANITY_TOO_LONG'; have: number; limit: number }
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

const blockTexts: Readonly<Record<BlockFault['code'], string>> = {
  PARENT_UNKNOWN: 'the parent block is unknown',
  KNOWN_BAD_BLOCK: 'the block was found invalid before',
  NOT_THE_REQUIRED_BLOCK: '--required-blocks names another block of this number',
  NUMBER_NOT_NEXT: "the number is not the parent's plus one",
  TIMESTAMP_NOT_LATER: "the timestamp is not after the parent's",
  EXTRA_DATA_TOO_LONG: 'the extra data is too long',
  DAO_EXTRA_DATA: 'the extra data is not that of the DAO fork',
  GAS_LIMIT_OUT_OF_BOUNDS: "the gas limit differs too much from the parent's, or is out of range",
  GAS_USED_EXCEEDS_LIMIT: 'the gas used exceeds the gas limit',
  DIFFICULTY_MISMATCH: 'the difficulty is wrong',
  PROOF_OF_WORK_AFTER_MERGE: 'a proof-of-work block follows a proof-of-stake block',
  PROOF_OF_STAKE_BEFORE_MERGE: 'a proof-of-stake block comes before the terminal total difficulty',
  PROOF_OF_WORK_INVALID: 'the proof of work is invalid',
  NONCE_NOT_ZERO: 'the nonce of the header is not zero',
  FIELD_MISSING: 'the header lacks a field that the fork requires',
  FIELD_NOT_ALLOWED: 'the header has a field that the fork does not have',
  BASE_FEE_MISMATCH: 'the base fee does not follow from the parent',
  BLOB_GAS_NOT_A_MULTIPLE: 'the blob gas used is not a multiple of the gas of one blob',
  BLOB_GAS_EXCEEDS_LIMIT: 'the blob gas used exceeds the maximum',
  EXCESS_BLOB_GAS_MISMATCH: 'the excess blob gas does not follow from the parent',
  TRANSACTIONS_ROOT_MISMATCH: "the transactions do not match the header's root",
  WITHDRAWALS_ROOT_MISMATCH: "the withdrawals do not match the header's root",
  WITHDRAWALS_MISSING: 'the body lacks the withdrawals that the fork requires',
  WITHDRAWALS_NOT_ALLOWED: 'the body has withdrawals before Shanghai',
  OMMERS_HASH_MISMATCH: "the ommers do not match the header's hash",
  OMMERS_NOT_ALLOWED: 'the network allows no ommers',
  TOO_MANY_OMMERS: 'the block has more than two ommers',
  OMMER_TWICE: 'an ommer was included before',
  OMMER_IS_ANCESTOR: 'an ommer is an ancestor of the block',
  OMMER_UNRELATED: "an ommer's parent is not a recent ancestor of the block",
  OMMER_INVALID: 'an ommer is invalid',
  BLOCK_TOO_LARGE: 'the block exceeds the size limit',
  TRANSACTION_INVALID: 'a transaction is invalid',
  GAS_USED_MISMATCH: "the gas used differs from the header's",
  BLOB_GAS_USED_MISMATCH: "the blob gas used differs from the header's",
  LOGS_BLOOM_MISMATCH: "the logs bloom differs from the header's",
  RECEIPTS_ROOT_MISMATCH: "the receipts root differs from the header's",
  STATE_ROOT_MISMATCH: "the state root differs from the header's",
  REQUESTS_HASH_MISMATCH: "the execution requests do not match the header's hash",
  SYSTEM_CONTRACT_MISSING: 'a system contract has no code',
  SYSTEM_CALL_FAILED: 'the call of a system contract failed',
  DEPOSIT_LOG_INVALID: 'a log of the deposit contract is malformed',
  TIMESTAMP_IN_FUTURE: 'the timestamp is too far in the future',
  BLOCK_PERIOD_NOT_OVER: "the timestamp is less than the block period after the parent's",
  EXTRA_DATA_INVALID: 'the extra data is malformed',
  VANITY_TOO_LONG: 'the vanity of the extra data is too long for a proposal',
  MIX_HASH_MISMATCH: 'the mix hash is not that of the consensus',
  EMPTY_BLOCK_NOT_ALLOWED: 'the network allows no empty blocks',
  VOTE_NOT_ALLOWED: 'the block must not contain a vote',
  VOTE_UNKNOWN: 'the vote is neither to add nor to remove a validator',
  VALIDATORS_MISMATCH: 'the validators in the extra data are not those of the chain',
  VALIDATORS_UNKNOWN: 'the validators cannot be determined',
  SIGNER_NOT_VALIDATOR: 'the signer is not a validator',
  SIGNED_RECENTLY: 'the signer has signed one of the last blocks',
  SEAL_INVALID: 'a seal is not a valid signature',
  SEAL_TWICE: 'a validator has sealed the block twice',
  TOO_FEW_SEALS: 'the block has too few commit seals',
}

/** An invalid block; the message has the code, a sentence and the details. */
export class BlockError extends Fault<BlockFault> {
  constructor(at: BlockFault, cause?: unknown) {
    const text =
      at.code === 'TRANSACTION_INVALID' ? `${blockTexts[at.code]}: ${txTexts[at.reason]}` : blockTexts[at.code]
    super(at, cause, describeFault(at, text))
  }
}

/** Faults that another copy of the block, or the same one later, may not have: the block's hash does not cover them. */
const passing: ReadonlySet<BlockFault['code']> = new Set<BlockFault['code']>([
  'TIMESTAMP_IN_FUTURE',
  'VALIDATORS_UNKNOWN',
  'TRANSACTIONS_ROOT_MISMATCH',
  'OMMERS_HASH_MISMATCH',
  'WITHDRAWALS_ROOT_MISMATCH',
  'WITHDRAWALS_MISSING',
  'WITHDRAWALS_NOT_ALLOWED',
  'BLOCK_TOO_LARGE',
  // What is refused as a proposal is taken once a quorum has sealed it.
  'VANITY_TOO_LONG',
  // A BFT block's hash leaves out the seals: any peer could have changed them.
  'SEAL_INVALID',
  'SEAL_TWICE',
  'TOO_FEW_SEALS',
  'SIGNER_NOT_VALIDATOR',
])

/** Returns whether no block with the same hash can ever be valid. */
export function isPermanent({ code }: BlockFault): boolean {
  return !passing.has(code)
}
