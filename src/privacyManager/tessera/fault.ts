import { Fault } from '../../primitives/fault.ts'

/** Why nothing is taken over from a Tessera. */
export type TesseraFault =
  | { code: 'FILE_UNREADABLE'; path: string; reason: string }
  | { code: 'CONFIG_INVALID'; path: string; reason: string }
  /** A key has a password that the configuration does not name. */
  | { code: 'PASSWORD_MISSING'; key: string }
  | { code: 'PASSWORD_WRONG'; key: string }
  /** The secret lies elsewhere, such as in a vault. */
  | { code: 'KEY_ELSEWHERE'; key: string; kind: string }
  | { code: 'KEY_INVALID'; key: string; reason: string }
  /** A row of the exported database cannot be understood. */
  | { code: 'EXPORT_INVALID'; path: string; line: number; reason: string }

/** Its message is what the operator has to do. */
export class TesseraError extends Fault<TesseraFault> {
  constructor(at: TesseraFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(at: TesseraFault): string {
  switch (at.code) {
    case 'FILE_UNREADABLE':
      return `cannot read ${at.path}: ${at.reason}`
    case 'CONFIG_INVALID':
      return `${at.path} is not the configuration of a Tessera: ${at.reason}`
    case 'PASSWORD_MISSING':
      return `the key ${at.key} has a password: give it with --password-file, one line per key`
    case 'PASSWORD_WRONG':
      return `the password of the key ${at.key} is wrong`
    case 'KEY_ELSEWHERE':
      return `the key ${at.key} is in a vault (${at.kind}): write its secret to a file, in base64, and name that with --key-file when the manager starts`
    case 'KEY_INVALID':
      return `the key ${at.key} cannot be used: ${at.reason}`
    case 'EXPORT_INVALID':
      return `${at.path}, line ${at.line}: ${at.reason}`
  }
}
