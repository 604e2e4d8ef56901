import { Fault } from '../../primitives/fault.ts'

export type SnapFault =
  /** The peer sent an invalid message; it is disconnected. */
  { code: 'BAD_MESSAGE'; reason: string }

/** A peer broke the snap protocol. */
export class SnapError extends Fault<SnapFault> {}

/** The error for a message that breaks the protocol. */
export function badMessage(reason: string): SnapError {
  return new SnapError({ code: 'BAD_MESSAGE', reason }, undefined, `invalid message: ${reason}`)
}
