import type { Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'
import { toHex } from '../primitives/hex.ts'

export type ChainFault =
  | { code: 'GENESIS_MISMATCH'; have: Hash32; want: Hash32 }
  | { code: 'BLOCK_NOT_FOUND'; number: bigint }

/** The message is one line for the operator. */
export class ChainError extends Fault<ChainFault> {
  constructor(at: ChainFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(at: ChainFault): string {
  switch (at.code) {
    case 'GENESIS_MISMATCH':
      return `the data directory belongs to another network: its genesis block is ${toHex(at.have)}, the genesis file gives ${toHex(at.want)}`
    case 'BLOCK_NOT_FOUND':
      return `there is no block ${at.number}`
  }
}
