import { Fault } from '../primitives/fault.ts'

/** Why blocks could not be imported. */
export type ImportFault =
  /** The thread that imports has failed; the reason is the message of its error. */
  { code: 'IMPORT_FAILED'; reason: string }

/** The message is the reason alone. */
export class ImportError extends Fault<ImportFault> {
  constructor(at: ImportFault) {
    super(at, undefined, at.reason)
  }
}
