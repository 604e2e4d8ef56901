import { Fault } from '../primitives/fault.ts'

/** Why a request got no answer from a reader. */
export type ReaderFault =
  /** As many requests wait as may. */
  | { code: 'QUEUE_FULL' }
  /** The request ran, or waited, for longer than allowed. */
  | { code: 'TIME_LIMIT'; seconds: number }
  /** The reader ended while it ran the request. */
  | { code: 'READER_LOST' }
  /** The client has disconnected, so nobody waits for the answer. */
  | { code: 'CLIENT_GONE' }
  /** The node is stopping. */
  | { code: 'STOPPING' }

/** A request that no reader answered. */
export class ReaderError extends Fault<ReaderFault> {}
