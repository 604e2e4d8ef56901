import { Fault } from '../primitives/fault.ts'

/** The server that authenticates, as Besu's messages name it. */
export type AuthServer = 'HTTP' | 'WS'

/** Why a server cannot authenticate its callers. */
export type AuthFault =
  /** The credentials file does not exist. */
  | { code: 'CREDENTIALS_MISSING'; server: AuthServer; path: string }
  /** The credentials file cannot be read, or is not TOML with a table of users. */
  | { code: 'CREDENTIALS_INVALID'; server: AuthServer; reason: string }
  /** A user has no password. */
  | { code: 'PASSWORD_MISSING' }
  /** A member of a user has a value of the wrong type. */
  | { code: 'USER_INVALID' }
  /** The file of the public key cannot be read. */
  | { code: 'KEY_UNREADABLE'; path: string }
  /** The file of the public key is not PEM. */
  | { code: 'KEY_FORMAT'; path: string }
  /** The key is of another kind than the algorithm needs. */
  | { code: 'KEY_KIND'; path: string; algorithm: string; reason: string }

/** The message is one line for the operator, in Besu's words. */
export class AuthError extends Fault<AuthFault> {
  constructor(at: AuthFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(at: AuthFault): string {
  switch (at.code) {
    case 'CREDENTIALS_MISSING':
      return `The specified RPC ${at.server} authentication credential file '${at.path}' does not exist`
    case 'CREDENTIALS_INVALID':
      return `Invalid RPC ${at.server} authentication credentials file: ${at.reason}`
    case 'PASSWORD_MISSING':
      return 'RPC user specified without password.'
    case 'USER_INVALID':
      return 'RPC authentication configuration file contains invalid values.'
    case 'KEY_UNREADABLE':
      return `Authentication RPC public key could not be read: ${at.path}`
    case 'KEY_FORMAT':
      return `Authentication RPC public key file format is invalid: ${at.path} has no '-----BEGIN PUBLIC KEY-----'`
    case 'KEY_KIND':
      return `Authentication RPC public key does not fit the algorithm ${at.algorithm}: ${at.path} ${at.reason}`
  }
}
