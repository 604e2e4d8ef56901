import { Fault } from '../../primitives/fault.ts'
import type { ErrorObject } from './codes.ts'

/** What JSON-RPC itself can complain about; the numbers and texts are in `codes.ts`. */
export type RpcFault =
  | { code: 'INVALID_PARAMS'; detail?: string; data?: string }
  | { code: 'EXECUTION_REVERTED'; detail?: string; data: string }
  /** Told in the words of another layer's fault. */
  | { code: 'TX_REFUSED'; error: ErrorObject }
  | { code: PlainCode; detail?: string }

type PlainCode =
  | 'PARSE_ERROR'
  | 'INVALID_REQUEST'
  | 'METHOD_NOT_FOUND'
  | 'METHOD_NOT_ENABLED'
  | 'INTERNAL_ERROR'
  | 'TIMEOUT'
  | 'BATCH_TOO_LARGE'
  | 'LOGS_RANGE_EXCEEDED'
  | 'UNKNOWN_BLOCK'
  | 'BLOCK_NOT_FOUND'
  | 'PARENT_NOT_FOUND'
  | 'NOT_CANONICAL'
  | 'WORLD_STATE_UNAVAILABLE'
  | 'ACCOUNT_NOT_FOUND'
  | 'FILTER_NOT_FOUND'
  | 'LOGS_FILTER_NOT_FOUND'
  | 'SUBSCRIPTION_NOT_FOUND'
  | 'NO_MINING_WORK'
  | 'EXECUTION_HALTED'
  | 'COINBASE_NOT_SET'
  | 'COINBASE_REQUIRED'
  | 'P2P_DISABLED'
  | 'P2P_NOT_RUNNING'
  | 'INVALID_NODE_ID'
  | 'ENODE_DNS_DISABLED'
  | 'PEER_IS_SELF'
  | 'TARGET_GAS_LIMIT_UNSET'
  | 'SEND_TRANSACTION_UNSUPPORTED'
  | 'RESYNC_RUNNING'
  | 'LOG_INDEX_BUSY'

export class RpcError extends Fault<RpcFault> {}

/** A parameter that cannot be read. Besu explains few of them; `detail` goes into the message where there is one. */
export function invalidParams(detail?: string): RpcError {
  return new RpcError(detail === undefined ? { code: 'INVALID_PARAMS' } : { code: 'INVALID_PARAMS', detail })
}
