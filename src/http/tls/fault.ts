import { Fault } from '../../primitives/fault.ts'

/** Why TLS cannot be set up. */
export type TlsFault =
  /** A file cannot be read or used. */
  { code: 'TLS_FILE'; path: string; reason: string }

/** The message is one line for the operator. */
export class TlsError extends Fault<TlsFault> {
  constructor(at: TlsFault, cause?: unknown) {
    super(at, cause, `${at.path}: ${at.reason}`)
  }
}
