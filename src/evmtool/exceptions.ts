import { BlockError, type BlockFault, TxError, type TxFault } from '../execution/fault.ts'
import { RlpError } from '../primitives/rlp.ts'
import { TypesError } from '../types/fault.ts'
import { Mismatch } from './expect.ts'

/** A reason to reject; DECODING stands for all decoding faults. */
type Reason = TxFault['code'] | BlockFault['code'] | 'DECODING'

const funds = ['INSUFFICIENT_FUNDS'] as const
const intrinsic = ['INTRINSIC_GAS_TOO_LOW', 'FLOOR_GAS_TOO_LOW'] as const
const signature = ['INVALID_SIGNATURE', 'REPLAY_PROTECTION_NOT_SUPPORTED'] as const
const maxFee = ['MAX_FEE_BELOW_BASE_FEE'] as const
const blockGas = ['GAS_LIMIT_EXCEEDS_BLOCK'] as const
const gasUsed = ['GAS_USED_EXCEEDS_LIMIT', 'GAS_LIMIT_EXCEEDS_BLOCK', 'GAS_USED_MISMATCH'] as const
const blobCount = ['TOO_MANY_BLOBS', 'BLOB_GAS_EXCEEDS_BLOCK', 'BLOB_GAS_EXCEEDS_LIMIT'] as const
const fields = ['FIELD_MISSING', 'FIELD_NOT_ALLOWED', 'WITHDRAWALS_MISSING', 'WITHDRAWALS_NOT_ALLOWED'] as const
const afterMerge = ['PROOF_OF_WORK_AFTER_MERGE', 'OMMERS_NOT_ALLOWED', 'NONCE_NOT_ZERO'] as const
const unrelatedOmmer = ['OMMER_UNRELATED', 'OMMER_TWICE'] as const

/** Exception names of the tests (retesteth's, then execution-spec-tests') and our equivalent faults. */
const reasons: Readonly<Record<string, readonly Reason[]>> = {
  // Transactions
  IntrinsicGas: intrinsic,
  SenderNotEOA: ['SENDER_HAS_CODE'],
  SenderNotEOAorNoCASH: ['SENDER_HAS_CODE', ...funds],
  InvalidTransactionVRS: signature,
  TR_BLOBCREATE: ['DECODING'],
  TR_BLOBLIST_OVERSIZE: blobCount,
  TR_BLOBVERSION_INVALID: ['BLOB_HASH_VERSION'],
  TR_BlobDecodeError: ['DECODING'],
  TR_EMPTYBLOB: ['BLOBS_MISSING'],
  TR_FeeCapLessThanBlocks: maxFee,
  TR_FeeCapLessThanBlocksORGasLimitReached: [...maxFee, ...blockGas],
  // The transactions of these tests have too little gas as well.
  TR_FeeCapLessThanBlocksORNoFunds: [...maxFee, ...funds, ...intrinsic],
  TR_GasLimitReached: blockGas,
  TR_InitCodeLimitExceeded: ['INIT_CODE_TOO_LARGE'],
  TR_IntrinsicGas: intrinsic,
  TR_NoFunds: funds,
  TR_NoFundsOrGas: [...funds, ...intrinsic],
  TR_NoFundsValue: funds,
  TR_NoFundsX: [...funds, 'GAS_COST_OVERFLOW'],
  TR_NonceHasMaxValue: ['NONCE_OVERFLOW'],
  TR_NonceTooHigh: ['NONCE_TOO_HIGH'],
  TR_NonceTooLow: ['NONCE_TOO_LOW'],
  TR_RLP_WRONGVALUE: ['DECODING'],
  TR_TipGtFeeCap: ['PRIORITY_FEE_ABOVE_MAX_FEE'],
  TR_TooShort: ['DECODING'],
  TR_TypeNotSupported: ['TX_TYPE_NOT_SUPPORTED'],
  TR_TypeNotSupportedBlob: ['TX_TYPE_NOT_SUPPORTED'],
  TRANSACTION_VALUE_TOOLARGE: ['DECODING'],
  TRANSACTION_VALUE_TOOSHORT: ['DECODING'],

  ADDRESS_TOO_LONG: ['DECODING'],
  ADDRESS_TOO_SHORT: ['DECODING'],
  EC_RECOVERY_FAIL: signature,
  GASLIMIT_OVERFLOW: ['GAS_LIMIT_OUT_OF_RANGE', 'DECODING'],
  GASLIMIT_PRICE_PRODUCT_OVERFLOW: ['GAS_COST_OVERFLOW'],
  GASPRICE_OVERFLOW: ['DECODING'],
  GAS_ALLOWANCE_EXCEEDED: blockGas,
  GAS_LIMIT_EXCEEDS_MAXIMUM: ['GAS_LIMIT_EXCEEDS_CAP'],
  INITCODE_SIZE_EXCEEDED: ['INIT_CODE_TOO_LARGE'],
  INSUFFICIENT_ACCOUNT_FUNDS: funds,
  INSUFFICIENT_MAX_FEE_PER_BLOB_GAS: ['MAX_BLOB_FEE_TOO_LOW'],
  INSUFFICIENT_MAX_FEE_PER_GAS: maxFee,
  INTRINSIC_GAS_BELOW_FLOOR_GAS_COST: intrinsic,
  INTRINSIC_GAS_TOO_LOW: intrinsic,
  // Since Spurious Dragon, the tests call a v that is neither 27, 28 nor of a chain id a wrong chain id.
  INVALID_CHAINID: ['WRONG_CHAIN_ID', ...signature],
  INVALID_SIGNATURE_VRS: [...signature, 'DECODING'],
  NONCE_IS_MAX: ['NONCE_OVERFLOW'],
  NONCE_MISMATCH_TOO_HIGH: ['NONCE_TOO_HIGH'],
  NONCE_MISMATCH_TOO_LOW: ['NONCE_TOO_LOW'],
  NONCE_OVERFLOW: ['NONCE_OVERFLOW', 'DECODING'],
  NONCE_TOO_BIG: ['NONCE_OVERFLOW'],
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS: ['PRIORITY_FEE_ABOVE_MAX_FEE'],
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS_2: ['PRIORITY_FEE_ABOVE_MAX_FEE'],
  PRIORITY_OVERFLOW: ['DECODING'],
  SENDER_NOT_EOA: ['SENDER_HAS_CODE'],
  TYPE_3_TX_BLOB_COUNT_EXCEEDED: blobCount,
  TYPE_3_TX_CONTRACT_CREATION: ['DECODING'],
  TYPE_3_TX_INVALID_BLOB_VERSIONED_HASH: ['BLOB_HASH_VERSION'],
  TYPE_3_TX_MAX_BLOB_GAS_ALLOWANCE_EXCEEDED: blobCount,
  TYPE_3_TX_PRE_FORK: ['TX_TYPE_NOT_SUPPORTED'],
  TYPE_3_TX_WITH_FULL_BLOBS: ['DECODING'],
  TYPE_3_TX_ZERO_BLOBS: ['BLOBS_MISSING'],
  TYPE_3_TX_ZERO_BLOBS_PRE_FORK: ['TX_TYPE_NOT_SUPPORTED', 'BLOBS_MISSING'],
  TYPE_4_EMPTY_AUTHORIZATION_LIST: ['AUTHORIZATIONS_MISSING'],
  TYPE_4_INVALID_AUTHORITY_SIGNATURE: ['DECODING'],
  TYPE_4_INVALID_AUTHORIZATION_FORMAT: ['DECODING'],
  TYPE_4_TX_CONTRACT_CREATION: ['DECODING'],
  TYPE_4_TX_PRE_FORK: ['TX_TYPE_NOT_SUPPORTED'],
  TYPE_NOT_SUPPORTED: ['TX_TYPE_NOT_SUPPORTED', 'DECODING'],
  VALUE_OVERFLOW: ['DECODING'],

  // Headers and bodies
  '1559BlockImportImpossible_BaseFeeWrong': ['BASE_FEE_MISMATCH'],
  '1559BlockImportImpossible_HeaderIsLegacy': fields,
  '1559BlockImportImpossible_InitialBaseFeeWrong': ['BASE_FEE_MISMATCH'],
  '1559BlockImportImpossible_InitialGasLimitInvalid': ['GAS_LIMIT_OUT_OF_BOUNDS'],
  '1559BlockImportImpossible_TargetGasHigh': ['GAS_LIMIT_OUT_OF_BOUNDS'],
  '1559BlockImportImpossible_TargetGasLow': ['GAS_LIMIT_OUT_OF_BOUNDS'],
  '3675PoSBlockRejected': ['PROOF_OF_STAKE_BEFORE_MERGE', 'DIFFICULTY_MISMATCH'],
  '3675PoWBlockRejected': afterMerge,
  '3675PreParis1559BlockRejected': afterMerge,
  BLOCKHEADER_VALUE_TOOLARGE: ['DECODING'],
  BlockGasLimitReached: gasUsed,
  ExtraDataIncorrectDAO: ['DAO_EXTRA_DATA'],
  ExtraDataTooBig: ['EXTRA_DATA_TOO_LONG'],
  INPUT_UNMARSHAL_ADDRESS_ERROR: ['DECODING'],
  INPUT_UNMARSHAL_ERROR: ['DECODING'],
  InvalidBlockMixHash: ['PROOF_OF_WORK_INVALID'],
  InvalidBlockNonce: ['PROOF_OF_WORK_INVALID'],
  // After the merge, any difficulty but 0 is wrong.
  InvalidDifficulty: ['DIFFICULTY_MISMATCH', 'PROOF_OF_WORK_AFTER_MERGE'],
  InvalidDifficulty2: ['DIFFICULTY_MISMATCH'],
  InvalidDifficulty_TooLarge: ['DECODING'],
  InvalidGasLimit: ['GAS_LIMIT_OUT_OF_BOUNDS', 'DECODING'],
  // A London block before its fork has the doubled gas limit and a base fee.
  InvalidGasLimit2: ['GAS_LIMIT_OUT_OF_BOUNDS', 'FIELD_NOT_ALLOWED'],
  InvalidGasLimit3: ['GAS_LIMIT_OUT_OF_BOUNDS'],
  InvalidGasUsed: ['GAS_USED_MISMATCH'],
  InvalidGasUsed2: gasUsed,
  InvalidLogBloom: ['LOGS_BLOOM_MISMATCH'],
  InvalidNumber: ['NUMBER_NOT_NEXT'],
  InvalidReceiptsStateRoot: ['RECEIPTS_ROOT_MISMATCH'],
  InvalidStateRoot: ['STATE_ROOT_MISMATCH'],
  InvalidTimestamp: ['TIMESTAMP_NOT_LATER'],
  InvalidTimestampEqualParent: ['TIMESTAMP_NOT_LATER'],
  InvalidTimestampOlderParent: ['TIMESTAMP_NOT_LATER'],
  InvalidTransactionsRoot: ['TRANSACTIONS_ROOT_MISMATCH'],
  // The genesis block as an ommer has no parent, and is an ancestor.
  InvalidUncleParentHash: ['OMMER_UNRELATED', 'OMMER_IS_ANCESTOR'],
  InvalidUnclesHash: ['OMMERS_HASH_MISMATCH'],
  InvalidWithdrawals: ['WITHDRAWALS_ROOT_MISMATCH'],
  LegacyBlockBaseFeeTransaction: ['TX_TYPE_NOT_SUPPORTED'],
  LegacyBlockImportImpossible: fields,
  LegacyBlockImportImpossible2: fields,
  MergeBlockImportImpossible: fields,
  OVERSIZE_RLP: ['DECODING'],
  ParisBlockImportImpossible: fields,
  RLP_ExpectedAsList: ['DECODING', 'WITHDRAWALS_MISSING'],
  PostParisDifficultyIsNot0: afterMerge,
  PostParisUncleHashIsNotEmpty: afterMerge,
  ShanghaiBlockImportImpossible: fields,
  TooManyUncles: ['TOO_MANY_OMMERS'],
  // A gas limit of zero is wrong, too.
  TooMuchGasUsed: [...gasUsed, 'GAS_LIMIT_OUT_OF_BOUNDS'],
  TooMuchGasUsed2: gasUsed,
  UncleInChain: ['OMMER_TWICE', 'OMMER_IS_ANCESTOR'],
  UncleIsAncestor: ['OMMER_IS_ANCESTOR'],
  UncleIsBrother: unrelatedOmmer,
  UncleParentIsNotAncestor: unrelatedOmmer,
  UncleTooOld: ['OMMER_UNRELATED'],
  UnknownParent: ['PARENT_UNKNOWN'],
  UnknownParent2: ['PARENT_UNKNOWN'],

  BLOB_GAS_USED_ABOVE_LIMIT: blobCount,
  EXTRA_DATA_INVALID_DAO: ['DAO_EXTRA_DATA'],
  EXTRA_DATA_TOO_BIG: ['EXTRA_DATA_TOO_LONG'],
  GASLIMIT_TOO_BIG: ['GAS_LIMIT_OUT_OF_BOUNDS', 'DECODING'],
  GAS_USED_OVERFLOW: gasUsed,
  IMPORT_IMPOSSIBLE_DIFFICULTY_OVER_PARIS: afterMerge,
  IMPORT_IMPOSSIBLE_LEGACY: fields,
  IMPORT_IMPOSSIBLE_LEGACY_WRONG_PARENT: fields,
  IMPORT_IMPOSSIBLE_LONDON_OVER_PARIS: afterMerge,
  IMPORT_IMPOSSIBLE_LONDON_WRONG_PARENT: fields,
  IMPORT_IMPOSSIBLE_PARIS_OVER_SHANGHAI: fields,
  IMPORT_IMPOSSIBLE_PARIS_WRONG_POS: ['PROOF_OF_STAKE_BEFORE_MERGE'],
  IMPORT_IMPOSSIBLE_PARIS_WRONG_POW: afterMerge,
  IMPORT_IMPOSSIBLE_SHANGHAI: fields,
  IMPORT_IMPOSSIBLE_UNCLES_OVER_PARIS: afterMerge,
  INCORRECT_BLOB_GAS_USED: ['BLOB_GAS_USED_MISMATCH', 'BLOB_GAS_NOT_A_MULTIPLE', 'BLOB_GAS_EXCEEDS_LIMIT'],
  INCORRECT_BLOCK_FORMAT: [...fields, 'DECODING'],
  INCORRECT_EXCESS_BLOB_GAS: ['EXCESS_BLOB_GAS_MISMATCH'],
  INVALID_BASEFEE_PER_GAS: ['BASE_FEE_MISMATCH'],
  INVALID_BLOCK_NUMBER: ['NUMBER_NOT_NEXT'],
  INVALID_BLOCK_TIMESTAMP_OLDER_THAN_PARENT: ['TIMESTAMP_NOT_LATER'],
  INVALID_DEPOSIT_EVENT_LAYOUT: ['DEPOSIT_LOG_INVALID'],
  INVALID_DIFFICULTY: ['DIFFICULTY_MISMATCH'],
  INVALID_GASLIMIT: ['GAS_LIMIT_OUT_OF_BOUNDS'],
  INVALID_GAS_USED: ['GAS_USED_MISMATCH'],
  INVALID_GAS_USED_ABOVE_LIMIT: gasUsed,
  INVALID_LOG_BLOOM: ['LOGS_BLOOM_MISMATCH'],
  INVALID_RECEIPTS_ROOT: ['RECEIPTS_ROOT_MISMATCH'],
  INVALID_REQUESTS: ['REQUESTS_HASH_MISMATCH'],
  INVALID_STATE_ROOT: ['STATE_ROOT_MISMATCH'],
  INVALID_TRANSACTIONS_ROOT: ['TRANSACTIONS_ROOT_MISMATCH'],
  INVALID_UNCLES_HASH: ['OMMERS_HASH_MISMATCH'],
  INVALID_WITHDRAWALS_ROOT: ['WITHDRAWALS_ROOT_MISMATCH'],
  RLP_BLOCK_LIMIT_EXCEEDED: ['BLOCK_TOO_LARGE'],
  SYSTEM_CONTRACT_CALL_FAILED: ['SYSTEM_CALL_FAILED'],
  SYSTEM_CONTRACT_EMPTY: ['SYSTEM_CONTRACT_MISSING'],
  TOO_MANY_UNCLES: ['TOO_MANY_OMMERS'],
  UNCLE_IN_CHAIN: ['OMMER_TWICE', 'OMMER_IS_ANCESTOR'],
  UNCLE_IS_ANCESTOR: ['OMMER_IS_ANCESTOR'],
  UNCLE_IS_BROTHER: unrelatedOmmer,
  UNCLE_PARENT_INCORRECT: unrelatedOmmer,
  UNCLE_UNKNOWN_PARENT: ['OMMER_UNRELATED'],
  UNKNOWN_PARENT: ['PARENT_UNKNOWN'],
  UNKNOWN_PARENT_ZERO: ['PARENT_UNKNOWN'],
}

function reasonsFor(name: string): readonly Reason[] {
  const bare = name.trim().replace(/^(Transaction|Block)Exception\./, '')
  const known = reasons[bare]
  if (known) return known
  // Dozens of names, one for each malformed field.
  if (/^RLP_/.test(bare)) return ['DECODING']
  throw new Mismatch(`unknown exception ${name} in the test: add it to exceptions.ts`)
}

/** The reason of one of our faults; undefined for any other error, which is a crash. */
export function faultReasonOf(error: Error): Reason | undefined {
  if (error instanceof RlpError || error instanceof TypesError) return 'DECODING'
  if (error instanceof TxError) return error.at.code
  if (!(error instanceof BlockError)) return undefined
  const { at } = error
  return at.code === 'TRANSACTION_INVALID' || at.code === 'OMMER_INVALID' ? (at.reason as Reason) : at.code
}

/** Throws unless `error` is one of the expected exceptions, separated by `|`. */
export function expectRefusal(error: Error | undefined, upstream: string): void {
  if (!error) throw new Mismatch(`accepted, expected ${upstream}`)
  const have = faultReasonOf(error)
  if (have === undefined) throw error
  if (!upstream.split('|').some((name) => reasonsFor(name).includes(have)))
    throw new Mismatch(`rejected with ${error.message}, expected ${upstream}`)
}
