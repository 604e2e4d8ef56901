import type { ErrorObject } from '../jsonrpc/errorObject.ts'
import { Fault } from '../primitives/fault.ts'

/** Why keys cannot be loaded. */
export type KeyFault =
  /** The file is not a Web3 Secret Storage file of version 3, or cannot be read. */
  | { code: 'KEYSTORE_INVALID'; path: string; reason: string }
  /** The directory has no keystore files. */
  | { code: 'NO_KEYSTORES'; path: string }
  /** There is no password file for the keystore file. */
  | { code: 'PASSWORD_MISSING'; path: string }
  /** The password file cannot be read. */
  | { code: 'PASSWORD_UNREADABLE'; path: string }
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
  return keySentences[at.code]
}

const keySentences: Record<Exclude<KeyFault['code'], 'KEYSTORE_INVALID'>, string> = {
  NO_KEYSTORES: 'the directory has no keystore files (*.json or UTC--*)',
  PASSWORD_MISSING: 'no password: give --password-file, or put <name>.password beside the keystore file',
  PASSWORD_UNREADABLE: 'the password file cannot be read',
  WRONG_PASSWORD: 'the password is wrong',
}

/** Why a call fails. */
export type CallFault =
  /** A parameter is missing or invalid. */
  | { code: 'INVALID_PARAMS'; detail: string }
  /** The signer has no key of the account. */
  | { code: 'UNKNOWN_ACCOUNT'; detail: string }
  /** The transaction is meant for another chain. */
  | { code: 'WRONG_CHAIN'; detail: string }
  /** The node answered with an error, which is passed on as it is. */
  | { code: 'NODE_ERROR'; error: ErrorObject }
  /** The node answered with something other than JSON-RPC, or with a result that makes no sense. */
  | { code: 'NODE_ANSWER_INVALID'; detail: string }
  /** No connection to the node, or it was lost. */
  | { code: 'NODE_UNREACHABLE' }
  /** The node did not answer in time. */
  | { code: 'NODE_TIMED_OUT' }

/** A call that fails. */
export class CallError extends Fault<CallFault> {}

/** The error of a missing or invalid parameter. */
export function invalidParams(detail: string): CallError {
  return new CallError({ code: 'INVALID_PARAMS', detail })
}

/** Returns the error of the response; numbers and messages are those of EthSigner. */
export function errorObjectOf(at: CallFault): ErrorObject {
  if (at.code === 'NODE_ERROR') return at.error
  const [code, text] = callCodes[at.code]
  return { code, message: 'detail' in at ? `${text}: ${at.detail}` : text }
}

const callCodes: Record<Exclude<CallFault['code'], 'NODE_ERROR'>, readonly [code: number, message: string]> = {
  INVALID_PARAMS: [-32602, 'Invalid params'],
  UNKNOWN_ACCOUNT: [-32000, 'From address does not match available account'],
  WRONG_CHAIN: [-32000, 'Wrong chainId'],
  NODE_ANSWER_INVALID: [-32000, 'Invalid response of the downstream node'],
  NODE_UNREACHABLE: [-32000, 'Failed to connect to downstream node'],
  NODE_TIMED_OUT: [-32000, 'Connection to downstream node timed out'],
}

/** Whether the node is to blame for not answering: HTTP status 504. */
export function isGatewayFault({ code }: CallFault): boolean {
  return code === 'NODE_UNREACHABLE' || code === 'NODE_TIMED_OUT'
}
