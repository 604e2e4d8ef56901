import { BlockError } from '../execution/fault.ts'
import { Fault } from '../primitives/fault.ts'
import { RlpError } from '../primitives/rlp.ts'

/** Why a header's extra data is invalid; malformed RLP is reported as an RlpError instead. */
export type ExtraDataFault =
  /** Clique extra data of `have` bytes: not a vanity, whole addresses and a seal. */
  | { code: 'EXTRA_DATA_LENGTH'; have: number }
  /** A vote that is neither to add nor to drop a validator. */
  | { code: 'VOTE_TYPE_UNKNOWN' }
/** A header's extra data is invalid. */
export class ExtraDataError extends Fault<ExtraDataFault> {
  constructor(at: ExtraDataFault, cause?: unknown) {
    super(at, cause, messageOf(at))
  }
}

function messageOf(at: ExtraDataFault): string {
  switch (at.code) {
    case 'EXTRA_DATA_LENGTH':
      return `Invalid extra data length: ${at.have} bytes`
    case 'VOTE_TYPE_UNKNOWN':
      return 'Unknown vote type in extra data'
  }
}

/** Reads extra data; throws a BlockError if it is malformed, because the block is invalid then. */
export function withBlockError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RlpError) && !(error instanceof ExtraDataError)) throw error
    throw new BlockError({ code: 'EXTRA_DATA_INVALID', reason: error.message }, error)
  }
}
