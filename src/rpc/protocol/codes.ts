import type { ErrorObject } from '../../jsonrpc/errorObject.ts'
import type { Fault } from '../../primitives/fault.ts'
import type { RpcError, RpcFault } from './fault.ts'

/** Number and message of an error, as in Besu. */
export type RpcCode = readonly [code: number, message: string]

/** JSON-RPC's own errors. */
export const rpcCodes = {
  PARSE_ERROR: [-32700, 'Parse error'],
  INVALID_REQUEST: [-32600, 'Invalid Request'],
  METHOD_NOT_FOUND: [-32601, 'Method not found'],
  INVALID_PARAMS: [-32602, 'Invalid params'],
  INTERNAL_ERROR: [-32603, 'Internal error'],
  TIMEOUT: [-32603, 'Timeout expired'],
  METHOD_NOT_ENABLED: [-32604, 'Method not enabled'],
  SEND_TRANSACTION_UNSUPPORTED: [
    -32604,
    'The method eth_sendTransaction is not supported. Use eth_sendRawTransaction to send a signed transaction to Besu.',
  ],
  UNAUTHORIZED: [-40100, 'Unauthorized'],
  TOO_MANY_REQUESTS: [-32005, 'Too many requests: the limit of requests per second is exceeded'],
  READERS_BUSY: [
    -32005,
    'Too many calls that take long are waiting: try again later, or send fewer at once; the operator can raise --rpc-readers',
  ],
  READER_LOST: [-32603, 'The process that ran the call has ended: try again, or ask for less'],
  BATCH_TOO_LARGE: [-32005, 'Number of requests exceeds max batch size'],
  LOGS_RANGE_EXCEEDED: [-32005, 'Requested range exceeds maximum RPC range limit'],
  UNKNOWN_BLOCK: [-39001, 'Unknown block'],
  BLOCK_NOT_FOUND: [-32000, 'Block not found'],
  PARENT_NOT_FOUND: [-32000, 'Parent block not found'],
  NOT_CANONICAL: [-32000, 'Invalid input'],
  WORLD_STATE_UNAVAILABLE: [-32000, 'World state unavailable'],
  NO_ACCESS_LIST: [-32001, 'Resource not found'],
  TRANSACTION_NOT_FOUND: [-32000, 'Transaction not found'],
  ACCOUNT_INDEX_INCOMPLETE: [-32000, 'The index of accounts is not complete'],
  TOKEN_INDEX_INCOMPLETE: [-32000, 'The index of tokens is not complete'],
  ACCOUNT_NOT_FOUND: [-32000, 'Account not found'],
  TRACER_FAILED: [-32000, 'Tracer failed'],
  SCRIPTS_NEED_READERS: [-32000, 'Tracers in JavaScript run in readers, and the operator has set --rpc-readers=0'],
  TOO_MANY_FILTERS: [-32005, 'Too many filters: uninstall some, or try again in a minute'],
  TOO_MANY_SUBSCRIPTIONS: [-32005, 'Too many subscriptions on this connection: unsubscribe some'],
  SUBSCRIPTIONS_EXHAUSTED: [-32005, 'Maximum number of active subscriptions exceeded'],
  FILTER_NOT_FOUND: [-32000, 'Filter not found'],
  LOGS_FILTER_NOT_FOUND: [-32000, 'Logs filter not found'],
  SUBSCRIPTION_NOT_FOUND: [-32000, 'Subscription not found'],
  NO_MINING_WORK: [-32000, 'No mining work available yet'],
  EXECUTION_REVERTED: [-32000, 'Execution reverted'],
  GETH_EXECUTION_REVERTED: [3, 'execution reverted'],
  EXECUTION_HALTED: [-32000, 'Transaction processing could not be completed due to an exception'],
  COINBASE_NOT_SET: [-32000, 'Coinbase must be explicitly specified'],
  COINBASE_REQUIRED: [-32010, 'Coinbase not set. Unable to start mining without a coinbase'],
  P2P_DISABLED: [-32000, 'P2P has been disabled. This functionality is not available'],
  P2P_NOT_RUNNING: [-32000, 'P2P network is not running'],
  INVALID_NODE_ID: [
    -32000,
    "Invalid node ID: node ID must have exactly 128 hexadecimal characters and should not include any '0x' hex prefix.",
  ],
  ENODE_DNS_DISABLED: [-32100, 'Enode DNS support is disabled'],
  PEER_IS_SELF: [-32100, 'Cannot add local node as peer.'],
  PEER_NOT_PERMITTED: [-32000, 'Cannot add a non-permitted node as a peer'],
  TARGET_GAS_LIMIT_UNSET: [-32011, "The node is not attempting to target a gas limit so the target can't be changed"],
  BLOCKS_SIGNED: [
    -32000,
    'This node is one of several validators and has signed later blocks, which it must not sign again; set the head of a node that is not a validator',
  ],
  RESYNC_RUNNING: [-32000, 'The world state is already being rebuilt'],
  PRIVACY_DISABLED: [-50100, 'Privacy is not enabled'],
  PRIVATE_CALL_FAILED: [-50100, 'Private transaction failed'],
  GROUP_NOT_DELETED: [-50100, 'Error deleting privacy group'],
  GROUP_NOT_FOUND: [-50100, 'Error finding privacy group'],
  PRIVATE_NONCE_UNKNOWN: [-50100, 'Unable to determine nonce for account in group.'],
} as const satisfies Record<Exclude<RpcFault['code'], 'TX_REFUSED'>, RpcCode>

/** Turns a fault of a lower layer into an error; undefined for unknown faults, which are internal errors. */
export type FaultTable = (fault: Fault<{ readonly code: string }>) => ErrorObject | undefined

/** The HTTP status of the reply to a single call that failed. */
export function statusOf({ code, message }: ErrorObject): 200 | 400 | 401 | 429 {
  if (code === -32700 || code === -32600) return 400
  if (code === -40100) return 401
  return message === rpcCodes.TOO_MANY_REQUESTS[1] ? 429 : 200
}

/** The error object of one of JSON-RPC's own faults. */
export function rpcErrorObject({ at }: RpcError): ErrorObject {
  if (at.code === 'TX_REFUSED') return at.error
  const [code, text] = rpcCodes[at.code]
  const message = at.detail === undefined ? text : `${text}: ${at.detail}`
  return 'data' in at && at.data !== undefined ? { code, message, data: at.data } : { code, message }
}
