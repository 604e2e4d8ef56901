import { BlockError } from '../execution/fault.ts'
import { Fault } from '../primitives/fault.ts'
import { RlpError } from '../primitives/rlp.ts'

/** Why bytes are not the extra data of an engine; faults of their RLP are RlpErrors. */
export type ExtraDataFault = { code: 'EXTRA_DATA_LENGTH'; have: number } | { code: 'VOTE_TYPE_UNKNOWN' }
export class ExtraDataError extends Fault<ExtraDataFault> {}

/** Extra data that cannot be read make their block invalid. */
export function blamingExtraData<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RlpError) && !(error instanceof ExtraDataError)) throw error
    throw new BlockError({ code: 'EXTRA_DATA_INVALID', reason: error.message }, error)
  }
}
