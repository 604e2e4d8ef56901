import { PastError } from '../../chain/takeOver/fault.ts'
import { DevError } from '../../dev/fault.ts'
import { TxError, type TxFault } from '../../execution/fault.ts'
import type { ErrorObject } from '../../jsonrpc/errorObject.ts'
import { AllowlistError, type AllowlistFault } from '../../permissioning/fault.ts'
import { PoolError, type PoolFault } from '../../pool/fault.ts'
import { EnclaveError } from '../../privacy/enclave/enclave.ts'
import { PrivacyError } from '../../privacy/fault.ts'
import { ReaderError, type ReaderFault } from '../../readers/fault.ts'
import { type FaultTable, type RpcCode, rpcCodes } from './codes.ts'
import { enclaveErrorObject, privacyErrorObject } from './privacyCodes.ts'

/** Why the pool refuses a transaction. */
export const poolCodes = {
  TRANSACTION_ALREADY_KNOWN: [-32000, 'Known transaction'],
  TX_FEECAP_EXCEEDED: [-32000, 'Transaction fee cap exceeded'],
  GAS_PRICE_TOO_LOW: [-32009, 'Gas price below configured minimum gas price'],
  INVALID_SIGNATURE: [-32002, 'Invalid signature'],
  WRONG_CHAIN_ID: [-32000, 'Wrong chainId'],
  REPLAY_PROTECTED_SIGNATURES_NOT_SUPPORTED: [-32000, 'ChainId not supported'],
  REPLAY_PROTECTED_SIGNATURE_REQUIRED: [-32000, 'ChainId is required'],
  INVALID_TRANSACTION_FORMAT: [-32602, 'Invalid transaction type'],
  NONCE_OVERFLOW: [-32602, 'Nonce must be less than 2^64 - 1'],
  INITCODE_TOO_LARGE: [-32602, 'Init code exceeds the size limit'],
  MAX_PRIORITY_FEE_PER_GAS_EXCEEDS_MAX_FEE_PER_GAS: [-32000, 'Max priority fee per gas exceeds max fee per gas'],
  INTRINSIC_GAS_EXCEEDS_GAS_LIMIT: [-32003, 'Intrinsic gas exceeds gas limit'],
  EXCEEDS_PER_TRANSACTION_GAS_LIMIT: [-32602, 'Transaction gas limit exceeds the cap for one transaction'],
  EXCEEDS_BLOCK_GAS_LIMIT: [-32005, 'Transaction gas limit exceeds block gas limit'],
  INVALID_BLOBS: [-32602, 'Invalid blobs, commitments or proofs'],
  TOTAL_BLOB_GAS_TOO_HIGH: [-32000, 'Total blob gas too high'],
  EMPTY_CODE_DELEGATION: [-32602, 'Authorization list must not be empty'],
  TX_SENDER_NOT_AUTHORIZED: [-32007, 'Sender account not authorized to send transactions'],
  PERMISSIONS_UNCLEAR: [
    -32007,
    'Sender account not authorized to send transactions: the account permissioning contract fails or returns no bool',
  ],
  PLUGIN_REFUSED: [-32007, 'Transaction refused by the plugin'],
  PLUGIN_FAILED: [-32000, 'Transaction not accepted: the plugin of this node has failed; try again later'],
  UPFRONT_COST_EXCEEDS_BALANCE: [-32004, 'Upfront cost exceeds account balance'],
  NONCE_TOO_LOW: [-32001, 'Nonce too low'],
  NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER: [-32000, 'Transaction nonce is too distant from current sender nonce'],
  TRANSACTION_REPLACEMENT_UNDERPRICED: [-32000, 'Replacement transaction underpriced'],
  TX_TOO_LARGE: [-32000, 'Transaction exceeds the size limit of 4 MiB, or of 8 MiB with its blobs'],
  TX_POOL_FULL: [-32000, 'Transaction pool is full'],
  TOO_MANY_TRANSACTIONS: [-32005, 'Too many transactions are waiting'],
} as const satisfies Record<PoolFault['code'], RpcCode>

/** Why an allowlist is not changed or shown. */
const allowlistCodes = {
  ACCOUNTS_DISABLED: [-32000, 'Account allowlist has not been enabled'],
  ACCOUNTS_EMPTY: [-32000, 'Request contains an empty list of accounts'],
  ACCOUNT_INVALID: [-32000, 'Request contains an invalid account'],
  ACCOUNTS_DUPLICATE: [-32000, 'Request contains duplicate accounts'],
  ACCOUNT_EXISTS: [-32000, 'Cannot add an existing account to allowlist'],
  ACCOUNT_ABSENT: [-32000, 'Cannot remove an absent account from allowlist'],
  NODES_DISABLED: [-32000, 'Node allowlist has not been enabled'],
  NODES_EMPTY: [-32000, 'Request contains an empty list of nodes'],
  NODE_INVALID: [-32000, 'Request contains an invalid node'],
  NODES_DUPLICATE: [-32000, 'Request contains duplicate nodes'],
  NODE_EXISTS: [-32000, 'Cannot add an existing node to allowlist'],
  NODE_ABSENT: [-32000, 'Cannot remove an absent node from allowlist'],
  NODE_FIXED: [-32000, 'Cannot remove a fixed node (bootnode or static node) from allowlist'],
  ALLOWLISTS_DISABLED: [-32000, 'Node/Account allowlist has not been enabled'],
  NOT_PERSISTED: [-32000, 'Unable to persist changes to allowlist configuration file. Changes reverted'],
  OUT_OF_SYNC: [
    -32000,
    'The permissioning allowlist configuration file is out of sync.  The changes have been applied, but not persisted to disk',
  ],
  RELOAD_FAILED: [
    -32000,
    'Error reloading permissions file. Please use perm_getAccountsAllowlist and perm_getNodesAllowlist to review the current state of the allowlists',
  ],
} as const satisfies Record<AllowlistFault['code'], RpcCode>

/** Why a simulated transaction cannot run. */
const txCodes = {
  TX_TYPE_NOT_SUPPORTED: [-32602, 'Invalid transaction type'],
  INVALID_SIGNATURE: [-32002, 'Invalid signature'],
  WRONG_CHAIN_ID: [-32000, 'Wrong chainId'],
  REPLAY_PROTECTION_NOT_SUPPORTED: [-32000, 'ChainId not supported'],
  NONCE_TOO_LOW: [-32001, 'Nonce too low'],
  NONCE_TOO_HIGH: [-32006, 'Nonce too high'],
  NONCE_OVERFLOW: [-32602, 'Nonce must be less than 2^64 - 1'],
  INTRINSIC_GAS_TOO_LOW: [-32003, 'Intrinsic gas exceeds gas limit'],
  FLOOR_GAS_TOO_LOW: [-32003, 'Intrinsic gas exceeds gas limit'],
  GAS_LIMIT_OUT_OF_RANGE: [-32602, 'Gas limit must be less than 2^64'],
  GAS_COST_OVERFLOW: [-32004, 'Upfront cost exceeds account balance'],
  GAS_LIMIT_EXCEEDS_BLOCK: [-32005, 'Transaction gas limit exceeds block gas limit'],
  GAS_LIMIT_EXCEEDS_CAP: [-32602, 'Transaction gas limit exceeds the cap for one transaction'],
  MAX_FEE_BELOW_BASE_FEE: [-32009, 'Gas price below current base fee'],
  PRIORITY_FEE_ABOVE_MAX_FEE: [-32000, 'Max priority fee per gas exceeds max fee per gas'],
  INSUFFICIENT_FUNDS: [-32004, 'Upfront cost exceeds account balance'],
  NOT_PERMITTED: [-32007, 'Sender account not authorized to send transactions'],
  SENDER_HAS_CODE: [-32007, 'Sender account not authorized to send transactions'],
  INIT_CODE_TOO_LARGE: [-32602, 'Init code exceeds the size limit'],
  BLOBS_MISSING: [-32602, 'A blob transaction needs at least one blob'],
  TOO_MANY_BLOBS: [-32000, 'Total blob gas too high'],
  BLOB_HASH_VERSION: [-32602, 'Blob hashes must start with version 1'],
  MAX_BLOB_FEE_TOO_LOW: [-32009, 'Max fee per blob gas below current blob base fee'],
  BLOB_GAS_EXCEEDS_BLOCK: [-32000, 'Total blob gas too high'],
  AUTHORIZATIONS_MISSING: [-32602, 'Authorization list must not be empty'],
} as const satisfies Record<TxFault['code'], RpcCode>

/** Why no reader has answered a call. */
const readerCodes = {
  QUEUE_FULL: rpcCodes.READERS_BUSY,
  TIME_LIMIT: rpcCodes.TIMEOUT,
  READER_LOST: rpcCodes.READER_LOST,
  CLIENT_GONE: rpcCodes.READER_LOST,
  STOPPING: rpcCodes.READER_LOST,
} as const satisfies Record<ReaderFault['code'], RpcCode>

function readerErrorObject(at: ReaderFault): ErrorObject {
  return objectOf(
    readerCodes[at.code],
    at.code === 'TIME_LIMIT' ? `the call took over ${at.seconds} s; ask for less` : undefined,
  )
}

function hintOf(at: PoolFault): string | undefined {
  if (at.code === 'TOO_MANY_TRANSACTIONS') return `send it again in ${at.retryAfter} s`
  return at.code === 'PLUGIN_REFUSED' ? at.reason : undefined
}

function poolErrorObject(at: PoolFault): ErrorObject {
  return objectOf(poolCodes[at.code], hintOf(at))
}

function objectOf([code, message]: RpcCode, detail?: string): ErrorObject {
  return { code, message: detail === undefined ? message : `${message}: ${detail}` }
}

/** The error of a transaction that cannot run; `detailed` adds Besu's details of eth_estimateGas. */
export function txErrorObject({ at }: TxError, detailed: boolean): ErrorObject {
  return objectOf(txCodes[at.code], detailed ? detailOf(at) : undefined)
}

function detailOf(at: TxFault): string | undefined {
  const hex = (n: bigint) => `0x${n.toString(16)}`
  if (at.code === 'INSUFFICIENT_FUNDS')
    return `transaction up-front cost ${hex(at.want)} exceeds transaction sender account balance ${hex(at.have)}`
  return at.code === 'MAX_FEE_BELOW_BASE_FEE' ? 'gasPrice is less than the current BaseFee' : undefined
}

/** The errors of pool, execution and the development network, with the numbers and messages of Besu. */
export const faultTable: FaultTable = (fault) => {
  if (fault instanceof PoolError) return poolErrorObject(fault.at)
  if (fault instanceof AllowlistError) return objectOf(allowlistCodes[fault.at.code])
  if (fault instanceof PastError) return { code: -32000, message: `Not available: ${fault.message}` }
  if (fault instanceof DevError) return { code: -32000, message: fault.message }
  if (fault instanceof ReaderError) return readerErrorObject(fault.at)
  if (fault instanceof TxError) return txErrorObject(fault, false)
  if (fault instanceof PrivacyError) return privacyErrorObject(fault.at)
  if (fault instanceof EnclaveError) return enclaveErrorObject(fault.at)
  return undefined
}
