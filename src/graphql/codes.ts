import { PastError } from '../chain/takeOver/fault.ts'
import { PoolError, type PoolFault } from '../pool/fault.ts'
import { QueryError } from './fault.ts'

/** Number and message of an error, as in Besu's GraphQL. */
export type GraphqlCode = readonly [code: number, message: string]

const invalidParams: GraphqlCode = [-32602, 'Invalid params']
/** The error for faults that Besu has no number for. */
export const internalError: GraphqlCode = [-32603, 'Internal error']
const nonceTooLow: GraphqlCode = [-32001, 'Nonce too low']
const invalidSignature: GraphqlCode = [-32002, 'Invalid signature']
const intrinsicGas: GraphqlCode = [-32003, 'Intrinsic gas exceeds gas limit']
const upfrontCost: GraphqlCode = [-32004, 'Upfront cost exceeds account balance']
const blockGas: GraphqlCode = [-32005, 'Transaction gas limit exceeds block gas limit']
const wrongChain: GraphqlCode = [-32000, 'Wrong Chain ID in transaction signature']
const noReplayProtection: GraphqlCode = [-32000, 'Signatures with replay protection are not supported']
const notAuthorized: GraphqlCode = [-32007, 'Sender account not authorized to send transactions']

/** Why the pool refuses a transaction; reasons that are not listed are internal errors, as in Besu. */
const poolCodes: Partial<Record<PoolFault['code'], GraphqlCode>> = {
  NONCE_TOO_LOW: nonceTooLow,
  INVALID_SIGNATURE: invalidSignature,
  INTRINSIC_GAS_EXCEEDS_GAS_LIMIT: intrinsicGas,
  UPFRONT_COST_EXCEEDS_BALANCE: upfrontCost,
  EXCEEDS_BLOCK_GAS_LIMIT: blockGas,
  TX_SENDER_NOT_AUTHORIZED: notAuthorized,
  GAS_PRICE_TOO_LOW: [-32009, 'Gas price below configured minimum gas price'],
  WRONG_CHAIN_ID: wrongChain,
  REPLAY_PROTECTED_SIGNATURES_NOT_SUPPORTED: noReplayProtection,
  PLUGIN_REFUSED: [-32007, 'Transaction refused by the plugin'],
  TX_FEECAP_EXCEEDED: [-32000, 'Transaction fee cap exceeded'],
  TOO_MANY_TRANSACTIONS: [-32005, 'Too many transactions are waiting'],
}

/** Number and message of a fault that a client caused; undefined for others, and where Besu has no number. */
export function codeOf(fault: Error): GraphqlCode | undefined {
  if (fault instanceof PoolError) return poolCodes[fault.at.code] ?? internalError
  if (fault instanceof PastError) return [-32000, `Not available: ${fault.message}`]
  if (!(fault instanceof QueryError)) return undefined
  if (fault.at.code === 'INVALID_PARAMS') return invalidParams
  return fault.at.code === 'STATE_UNAVAILABLE' ? [-32008, fault.message] : undefined
}
