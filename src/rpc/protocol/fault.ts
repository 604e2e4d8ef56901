import type { ErrorObject } from '../../jsonrpc/errorObject.ts'
import { Fault } from '../../primitives/fault.ts'

/** Why a call fails; the numbers and messages are in `codes.ts`. */
export type RpcFault =
  /** A parameter is missing or invalid. */
  | { code: 'INVALID_PARAMS'; detail?: string; data?: string }
  /** The call reverted; `data` is its output. As Besu puts it, or as geth does. */
  | { code: 'EXECUTION_REVERTED' | 'GETH_EXECUTION_REVERTED'; detail?: string; data: string }
  /** The transaction is refused; `error` is that of the layer that refused it. */
  | { code: 'TX_REFUSED'; error: ErrorObject }
  /** A code that needs no data. */
  | { code: PlainCode; detail?: string }

type PlainCode =
  /** The request is not JSON. */
  | 'PARSE_ERROR'
  /** The request is not a JSON-RPC call. */
  | 'INVALID_REQUEST'
  /** Neither this node nor Besu has the method. */
  | 'METHOD_NOT_FOUND'
  /** The namespace of the method is not enabled, or the node lacks what the method needs. */
  | 'METHOD_NOT_ENABLED'
  /** The node failed; the client did not cause it. */
  | 'INTERNAL_ERROR'
  /** The call took too long. */
  | 'TIMEOUT'
  /** The caller has no valid token, or not the permission that the method needs. */
  | 'UNAUTHORIZED'
  /** The client has sent more requests in a second than allowed. */
  | 'TOO_MANY_REQUESTS'
  /** As many calls wait for a reader as may. */
  | 'READERS_BUSY'
  /** The process that ran the call has ended. */
  | 'READER_LOST'
  /** A batch has more calls than allowed. */
  | 'BATCH_TOO_LARGE'
  /** A query of logs or traces covers more blocks than allowed. */
  | 'LOGS_RANGE_EXCEEDED'
  /** The chain has no such block, such as a finalized one. */
  | 'UNKNOWN_BLOCK'
  /** No block has this number or hash. */
  | 'BLOCK_NOT_FOUND'
  /** The parent of the block is unknown. */
  | 'PARENT_NOT_FOUND'
  /** The block is not canonical, which the call required. */
  | 'NOT_CANONICAL'
  /** The state of the block is not stored: it was pruned, or the block is not canonical. */
  | 'WORLD_STATE_UNAVAILABLE'
  /** Blocks have no access lists under the rules of the block. */
  | 'NO_ACCESS_LIST'
  /** No mined transaction has this hash. */
  | 'TRANSACTION_NOT_FOUND'
  /** Accounts are not indexed, or not yet in all blocks that the call asks about. */
  | 'ACCOUNT_INDEX_INCOMPLETE'
  /** Tokens are not indexed, or not yet in all blocks. */
  | 'TOKEN_INDEX_INCOMPLETE'
  /** The account does not exist at the block. */
  | 'ACCOUNT_NOT_FOUND'
  /** A tracer of the caller's own has thrown, or taken too long. */
  | 'TRACER_FAILED'
  /** Tracers of the caller's own run in readers only, and there are none. */
  | 'SCRIPTS_NEED_READERS'
  /** There are as many filters as the node keeps. */
  | 'TOO_MANY_FILTERS'
  /** The connection has as many subscriptions as one may have. */
  | 'TOO_MANY_SUBSCRIPTIONS'
  /** All connections together have as many subscriptions as the operator allows. */
  | 'SUBSCRIPTIONS_EXHAUSTED'
  /** No filter has this id, or it has expired. */
  | 'FILTER_NOT_FOUND'
  /** No filter of logs has this id. */
  | 'LOGS_FILTER_NOT_FOUND'
  /** The connection has no subscription with this id. */
  | 'SUBSCRIPTION_NOT_FOUND'
  /** There is no proof-of-work puzzle to solve. */
  | 'NO_MINING_WORK'
  /** The call ended exceptionally, such as out of gas. */
  | 'EXECUTION_HALTED'
  /** The node has no coinbase. */
  | 'COINBASE_NOT_SET'
  /** Mining cannot start without a coinbase. */
  | 'COINBASE_REQUIRED'
  /** The peer-to-peer network is disabled. */
  | 'P2P_DISABLED'
  /** The peer-to-peer network does not listen yet. */
  | 'P2P_NOT_RUNNING'
  /** The node ID of an enode URL is invalid. */
  | 'INVALID_NODE_ID'
  /** The enode URL has a host name instead of an IP address. */
  | 'ENODE_DNS_DISABLED'
  /** The enode URL is that of this node. */
  | 'PEER_IS_SELF'
  /** Permissioning does not allow connections with the node. */
  | 'PEER_NOT_PERMITTED'
  /** The node has no target gas limit, or the new one is invalid. */
  | 'TARGET_GAS_LIMIT_UNSET'
  /** The node keeps no keys to sign transactions with. */
  | 'SEND_TRANSACTION_UNSUPPORTED'
  /** The world state is already being rebuilt. */
  | 'RESYNC_RUNNING'
  /** This node is one of several validators and has signed the blocks that would be removed. */
  | 'BLOCKS_SIGNED'
  /** Another call is working on the log index. */
  /** The node runs without `--privacy-enabled`. */
  | 'PRIVACY_DISABLED'
  /** A private call reverted without a reason, or halted exceptionally. */
  | 'PRIVATE_CALL_FAILED'
  /** The manager of private transactions did not delete the group. */
  | 'GROUP_NOT_DELETED'
  /** The manager of private transactions does not know the group, or did not look for it. */
  | 'GROUP_NOT_FOUND'
  /** The id is not that of a group. */
  | 'PRIVATE_NONCE_UNKNOWN'

/** A call that fails. */
export class RpcError extends Fault<RpcFault> {}

/** The error of a missing or invalid parameter; `detail` is added to the message. */
export function invalidParams(detail?: string): RpcError {
  return new RpcError(detail === undefined ? { code: 'INVALID_PARAMS' } : { code: 'INVALID_PARAMS', detail })
}
