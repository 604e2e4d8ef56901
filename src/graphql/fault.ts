import { Fault } from '../primitives/fault.ts'
import { toHex } from '../primitives/hex.ts'

/** What a query can ask for that cannot be had. Numbers and texts of those that Besu numbers are in `codes.ts`. */
export type QueryFault =
  | { code: 'INVALID_PARAMS' }
  | { code: 'STATE_UNAVAILABLE' }
  | { code: 'BLOCK_NUMBER_NOT_FOUND'; number: bigint }
  | { code: 'BLOCK_HASH_NOT_FOUND'; hash: Uint8Array }
  | { code: 'NEGATIVE' }
  | { code: 'FROM_MISSING' }
  | { code: 'NOT_MINED'; hash: Uint8Array }
  | { code: 'TOO_LARGE'; limit: number }
  | { code: 'TOO_SLOW'; seconds: number }

/** The message is what the client gets to read. */
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
    case 'TOO_SLOW':
      return `the query took longer than ${at.seconds} s; ask for less at a time`
  }
}
