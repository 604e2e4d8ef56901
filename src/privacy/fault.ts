import { Fault } from '../primitives/fault.ts'

/** Why the node does not do what it was asked about private transactions. */
export type PrivacyFault =
  /** The bytes are not a signed private transaction. */
  | { code: 'UNDECODABLE_TRANSACTION'; reason: string }
  /** The restriction is not `restricted`. */
  | { code: 'UNSUPPORTED_RESTRICTION'; restriction: string }
  /** The sender's key is not that of this node's manager. */
  | { code: 'WRONG_PRIVATE_FROM' }
  /** Private transactions do not transfer value. */
  | { code: 'VALUE_NOT_ZERO' }
  /** The transaction is for another chain. */
  | { code: 'WRONG_CHAIN_ID' }
  /** The sender has sent a private transaction with this nonce to the group. */
  | { code: 'NONCE_TOO_LOW' }
  /** The group exists, but is not one that transactions may name. */
  | { code: 'WRONG_GROUP_TYPE' }
  /** The private state of the group is behind the block: the manager is unavailable, or the group executes again what came late. */
  | { code: 'PRIVATE_STATE_BEHIND'; at: bigint; wanted: bigint }
  /** Too many calls wait for their turn. */
  | { code: 'PRIVATE_CALLS_BUSY' }
  /** Transactions to flexible groups have to name the group. */
  | { code: 'FLEXIBLE_GROUP_ID_MISSING' }
  /** The flexible group does not exist, or the sender is not a member. */
  | { code: 'FLEXIBLE_GROUP_UNKNOWN' }
  /** No group has this id. */
  | { code: 'INVALID_GROUP_ID' }
export class PrivacyError extends Fault<PrivacyFault> {}
