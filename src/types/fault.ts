import { Fault } from '../primitives/fault.ts'

/** Why bytes are not a valid Ethereum object. */
export type TypesFault =
  /** The type byte is not that of a known transaction type. */
  | { code: 'UNKNOWN_TX_TYPE'; type: number }
  /** The encoded transaction is empty. */
  | { code: 'EMPTY_TRANSACTION' }
  /** The parity of a signature is neither 0 nor 1. */
  | { code: 'INVALID_Y_PARITY'; have: bigint }
  /** A transaction of a type that cannot create a contract has no recipient. */
  | { code: 'MISSING_RECIPIENT'; type: number }
  /** The status of a receipt is neither 0, 1 nor a state root. */
  | { code: 'INVALID_RECEIPT_STATUS' }
/** The bytes are valid RLP but not a valid Ethereum object. */
export class TypesError extends Fault<TypesFault> {}
