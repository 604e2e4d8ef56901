import { Fault } from '../primitives/fault.ts'

export type TypesFault =
  | { code: 'UNKNOWN_TX_TYPE'; type: number }
  | { code: 'EMPTY_TRANSACTION' }
  | { code: 'INVALID_Y_PARITY'; have: bigint }
  | { code: 'MISSING_RECIPIENT'; type: number }
  | { code: 'INVALID_SIGNATURE' }
  | { code: 'INVALID_RECEIPT_STATUS' }
/** Bytes that are valid RLP but not the Ethereum object that they should be. */
export class TypesError extends Fault<TypesFault> {}
