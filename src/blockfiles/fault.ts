import type { Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'
import { toHex } from '../primitives/hex.ts'

/** Why blocks of a file, or of a running node whose URL is `path`, cannot be imported; `at` is an offset in bytes, of a gzipped file after unpacking. */
export type BlockFileFault =
  /** The file does not exist. */
  | { code: 'FILE_MISSING'; path: string }
  /** The system cannot read the file, or it is not valid gzip. */
  | { code: 'FILE_UNREADABLE'; path: string; reason: string }
  /** There is no RLP of a block at this offset. */
  | { code: 'FILE_NOT_BLOCKS'; path: string; at: number; reason: string }
  /** The file ends in the middle of a block. */
  | { code: 'FILE_TRUNCATED'; path: string; at: number }
  /** The file starts with the genesis block of another network. */
  | { code: 'OTHER_GENESIS'; path: string; have: Hash32; want: Hash32 }
  /** A block of the file is invalid. */
  | { code: 'BLOCK_REFUSED'; path: string; number: bigint; hash: Hash32; reason: string }
  /** A running node does not answer, or answers with an error. */
  | { code: 'NODE_UNREACHABLE'; path: string; reason: string }
  /** A running node returned a block that is incomplete or of another form. */
  | { code: 'NODE_BLOCK'; path: string; number: bigint; reason: string }
  /** The JSON file is malformed, or its blocks cannot be made. */
  | { code: 'JSON_INVALID'; path: string; reason: string }

/** Its message is one line for the operator. */
export class BlockFileError extends Fault<BlockFileFault> {
  constructor(at: BlockFileFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(fault: BlockFileFault): string {
  const { path } = fault
  switch (fault.code) {
    case 'FILE_MISSING':
      return `Could not find file to import: ${path}`
    case 'FILE_UNREADABLE':
    case 'NODE_UNREACHABLE':
      return `Unable to import blocks from ${path}: ${fault.reason}`
    case 'FILE_NOT_BLOCKS':
      return `Unable to import blocks from ${path}: there is no block at byte ${fault.at}: ${fault.reason}`
    case 'FILE_TRUNCATED':
      return `Unable to import blocks from ${path}: the file ends within the block that starts at byte ${fault.at}`
    case 'OTHER_GENESIS':
      return (
        `Unable to import blocks from ${path}: it belongs to another network: its genesis block is ` +
        `${toHex(fault.have)}, that of this chain ${toHex(fault.want)}`
      )
    case 'BLOCK_REFUSED':
      return `Unable to import blocks from ${path}: block ${fault.number} (${toHex(fault.hash)}) is invalid: ${fault.reason}`
    case 'NODE_BLOCK':
      return `Unable to import blocks from ${path}: block ${fault.number}: ${fault.reason}`
    case 'JSON_INVALID':
      return `Unable to import blocks from ${path}: ${fault.reason}`
  }
}
