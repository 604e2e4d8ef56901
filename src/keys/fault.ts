import { Fault } from '../primitives/fault.ts'

/** Why a key cannot be read or written. */
export type KeyFault =
  /** The file does not exist; `option` is what names it, where an option does. */
  | { code: 'KEY_FILE_MISSING'; path: string; option?: string | undefined }
  /** The file does not hold a private key. */
  | { code: 'KEY_FILE_INVALID'; path: string }
  /** The operating system refuses to read the file. */
  | { code: 'KEY_FILE_UNREADABLE'; path: string }
  /** A new key would replace the file. */
  | { code: 'KEY_FILE_EXISTS'; path: string }
  /** A password was given for a key that lies in the open. */
  | { code: 'KEY_NOT_ENCRYPTED'; path: string }
  /** The file is not a Web3 Secret Storage file of version 3, or cannot be read. */
  | { code: 'KEYSTORE_INVALID'; path: string; reason: string }
  /** The directory has no keystore files. */
  | { code: 'NO_KEYSTORES'; path: string }
  /** There is no password for the keystore file; `remedy` says how to give one. */
  | { code: 'PASSWORD_MISSING'; path: string; remedy: string }
  /** The password file cannot be read. */
  | { code: 'PASSWORD_UNREADABLE'; path: string }
  /** The password file is empty: it would protect nothing. */
  | { code: 'PASSWORD_EMPTY'; path: string }
  /** The password does not open the keystore file. */
  | { code: 'WRONG_PASSWORD'; path: string }

/** The message is one line for the operator; it never contains a password or a key. */
export class KeyError extends Fault<KeyFault> {
  constructor(at: KeyFault, cause?: unknown) {
    super(at, cause, `${at.path}: ${keySentence(at)}`)
  }
}

function keySentence(at: KeyFault): string {
  if (at.code === 'KEYSTORE_INVALID') return `not a keystore file of version 3: ${at.reason}`
  if (at.code === 'PASSWORD_MISSING') return `no password: ${at.remedy}`
  if (at.code === 'KEY_FILE_MISSING')
    return `the private key file does not exist${at.option === undefined ? '' : `. Correct ${at.option}, or create the file.`}`
  return keySentences[at.code]
}

const keySentences: Record<
  Exclude<KeyFault['code'], 'KEYSTORE_INVALID' | 'PASSWORD_MISSING' | 'KEY_FILE_MISSING'>,
  string
> = {
  KEY_FILE_INVALID: 'Supplied file does not contain valid keyPair pair.',
  KEY_FILE_UNREADABLE: 'the private key file cannot be read',
  KEY_FILE_EXISTS: 'the file exists already; choose another, or move it away',
  KEY_NOT_ENCRYPTED:
    'the key is not encrypted, although a password is given: run `quoin key encrypt`, or leave the password out',
  NO_KEYSTORES: 'the directory has no keystore files (*.json or UTC--*)',
  PASSWORD_UNREADABLE: 'the password file cannot be read',
  PASSWORD_EMPTY: 'the password is empty',
  WRONG_PASSWORD: 'the password is wrong',
}
