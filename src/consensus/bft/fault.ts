import { Fault } from '../../primitives/fault.ts'

/** Why bytes are not a message of a BFT protocol; faults of their RLP are RlpErrors. */
export type MessageFault =
  /** The signature fits no key. */
  | { code: 'SIGNATURE_INVALID' }
  /** A list of signed payloads is longer than the list of validators. */
  | { code: 'LIST_TOO_LONG'; max: number; have: number }
export class MessageError extends Fault<MessageFault> {}
