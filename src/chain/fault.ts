import type { Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'

export type ChainFault =
  | { code: 'GENESIS_MISMATCH'; have: Hash32; want: Hash32 }
  | { code: 'BLOCK_NOT_FOUND'; number: bigint }
  | { code: 'STATE_NOT_KEPT'; number: bigint; oldest: number }
export class ChainError extends Fault<ChainFault> {}
