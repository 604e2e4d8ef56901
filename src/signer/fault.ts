import type { ErrorObject } from '../jsonrpc/errorObject.ts'
import { Fault } from '../primitives/fault.ts'

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
