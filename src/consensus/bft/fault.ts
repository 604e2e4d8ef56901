import { Fault } from '../../primitives/fault.ts'

/** Why a BFT message from a peer is invalid; malformed RLP is reported as an RlpError instead. */
export type MessageFault =
  /** No key can have made the signature. */
  { code: 'SIGNATURE_INVALID' }
/** A BFT message from a peer is invalid. */
export class MessageError extends Fault<MessageFault> {}
