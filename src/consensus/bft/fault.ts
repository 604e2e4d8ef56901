import { Fault } from '../../primitives/fault.ts'

/** Why bytes are not a message of a BFT protocol; faults of their RLP are RlpErrors. */
export type MessageFault = { code: 'SIGNATURE_INVALID' }
export class MessageError extends Fault<MessageFault> {}
