import { Fault } from '../primitives/fault.ts'
import { toHex } from '../primitives/hex.ts'

/** Why a query fails. The numbers of those that Besu numbers are in `codes.ts`. */
export type QueryFault =
  /** Arguments contradict each other, or lead to nothing. */
  | { code: 'INVALID_PARAMS' }
  /** The state or the receipts of the block are not stored. */
  | { code: 'STATE_UNAVAILABLE' }
  /** The chain has no block of this number. */
  | { code: 'BLOCK_NUMBER_NOT_FOUND'; number: bigint }
  /** No block has this hash. */
  | { code: 'BLOCK_HASH_NOT_FOUND'; hash: Uint8Array }
  /** A number is negative. */
  | { code: 'NEGATIVE' }
  /** A range of blocks has no start. */
  | { code: 'FROM_MISSING' }
  /** The transaction is pending and has no receipt. */
  | { code: 'NOT_MINED'; hash: Uint8Array }
  /** The response would have more values than allowed. */
  | { code: 'TOO_LARGE'; limit: number }
  /** A filter of logs has more addresses or topics than allowed. */
  | { code: 'FILTER_TOO_LARGE'; limit: number }
  /** The query took longer than allowed. */
  | { code: 'TOO_SLOW'; seconds: number }
  /** The calls of the query used more gas than allowed. */
  | { code: 'TOO_MUCH_GAS' }

/** The message is what the client sees. */
export class QueryError extends Fault<QueryFault> {
  constructor(at: QueryFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(at: QueryFault): string {
  switch (at.code) {
    case 'INVALID_PARAMS':
      return 'Invalid params'
    case 'STATE_UNAVAILABLE':
      return 'Initial sync is still in progress'
    case 'BLOCK_NUMBER_NOT_FOUND':
      return `Block number ${at.number} was not found`
    case 'BLOCK_HASH_NOT_FOUND':
      return `Block hash ${toHex(at.hash)} was not found`
    case 'NEGATIVE':
      return 'Argument must be positive'
    case 'FROM_MISSING':
      return "Argument 'from' is missing"
    case 'NOT_MINED':
      return `Transaction ${toHex(at.hash)} is in no block`
    case 'TOO_LARGE':
      return `the answer would be too large: more than ${at.limit} values; ask for fewer blocks, transactions or logs`
    case 'FILTER_TOO_LARGE':
      return `a filter has more than ${at.limit} addresses or topics`
    case 'TOO_SLOW':
      return `the query took longer than ${at.seconds} s; ask for less at a time`
    case 'TOO_MUCH_GAS':
      return 'the calls of the query used too much gas; ask for fewer at a time'
  }
}
