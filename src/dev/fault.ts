import { Fault } from '../primitives/fault.ts'

/** Why the development network does not do what a test asks for. */
export type DevFault =
  /** The timestamp of the next block must be later than that of its parent. */
  | { code: 'TIMESTAMP_TOO_LOW'; have: bigint; parent: bigint }
  /** More blocks at once than allowed. */
  | { code: 'TOO_MANY_BLOCKS'; have: number; max: number }

/** Its message is for the author of the test. */
export class DevError extends Fault<DevFault> {
  constructor(at: DevFault) {
    super(at, undefined, sentence(at))
  }
}

function sentence(at: DevFault): string {
  if (at.code === 'TIMESTAMP_TOO_LOW')
    return `Timestamp ${at.have} is lower than or equal to previous block's timestamp ${at.parent}`
  return `${at.have} blocks are more than ${at.max}, the maximum at once`
}
