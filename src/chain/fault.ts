import type { Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'
import { toHex } from '../primitives/hex.ts'

/** Why a chain cannot be opened or moved. */
export type ChainFault =
  /** The database holds the chain of another genesis file. */
  | { code: 'GENESIS_MISMATCH'; have: Hash32; want: Hash32 }
  /** An earlier version made the database, whose first block has no base fee; the genesis file does not say so. */
  | { code: 'FORMER_BASE_FEE' }
  | { code: 'FORMER_SYSTEM_CALLS' }
  /** The database was made with another chain id than that of the genesis file. */
  | { code: 'CHAIN_ID_MISMATCH'; have: bigint; want: bigint }
  /** The database has another block than --required-blocks names. */
  | { code: 'NOT_THE_REQUIRED_BLOCK'; number: bigint; have: Hash32; want: Hash32 }
  /** The canonical chain has no block of this number, or the genesis block was to be replayed. */
  | { code: 'BLOCK_NOT_FOUND'; number: bigint }
  /** A heavier branch leaves the chain after block `base`; the states before block `floor` were deleted. */
  | { code: 'BRANCH_TOO_DEEP'; base: number; floor: number }

/** Its message is one line for the operator. */
export class ChainError extends Fault<ChainFault> {
  constructor(at: ChainFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

/** What to do about a chain of an earlier version. */
export const formerBaseFee =
  'the first block of this chain has base fee 0, as earlier versions of Quoin made it of "zeroBaseFee"; Besu gives it a base fee of 1 gwei: ' +
  'add "baseFeePerGas": "0x0" to the genesis file, at all nodes'

/** What to do about a chain whose blocks call contracts that the genesis file does not name. */
export const formerSystemCalls =
  'the blocks of this chain call system contracts, as earlier versions of Quoin and Besu up to 25.12 do wherever alloc has them; since Besu 26.1 config has to say so: ' +
  'add "quoin": {"systemCalls": true} to config in the genesis file, at all nodes'

function sentence(at: ChainFault): string {
  switch (at.code) {
    case 'GENESIS_MISMATCH':
      return `the data directory belongs to another network: its genesis block is ${toHex(at.have)}, the genesis file gives ${toHex(at.want)}`
    case 'FORMER_BASE_FEE':
      return formerBaseFee
    case 'FORMER_SYSTEM_CALLS':
      return formerSystemCalls
    case 'CHAIN_ID_MISMATCH':
      return `the data path was made with chain id ${at.have}; the genesis file says ${at.want}: correct the genesis file, or choose another --data-path`
    case 'NOT_THE_REQUIRED_BLOCK':
      return `block ${at.number} of the data directory is ${toHex(at.have)}, but --required-blocks names ${toHex(at.want)}: it is the chain of another network, or of a part of it that went its own way`
    case 'BLOCK_NOT_FOUND':
      return `there is no block ${at.number}`
    case 'BRANCH_TOO_DEEP':
      return (
        `a heavier branch leaves this chain after block ${at.base}, and the states or blocks before block ${at.floor} were deleted ` +
        '(--history-blocks, --block-history): this node cannot change to it. ' +
        'Start with an empty --data-path and keep more, or all'
      )
  }
}
