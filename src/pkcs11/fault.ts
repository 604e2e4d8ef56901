import { Fault } from '../primitives/fault.ts'

/** Why a key in a token cannot be used. */
export type TokenFault =
  /** The library of the token cannot be loaded. */
  | { code: 'NO_LIBRARY'; library: string; reason: string }
  /** A call of the library failed; `name` is what PKCS#11 calls the reason. */
  | { code: 'CALL_FAILED'; call: string; name: string }
  /** The token is not there. */
  | { code: 'NO_TOKEN'; wanted: string; found: readonly string[] }
  /** The token is there, and lets nobody in: the PIN is wrong, locked or missing. */
  | { code: 'PIN'; reason: string }
  /** The token has no such key, or several. */
  | { code: 'NO_KEY'; label: string; reason: string }
  /** The token has the key and cannot do with it what a node needs. */
  | { code: 'UNFIT'; label: string; reason: string }
  /** The token does not answer just now. */
  | { code: 'AWAY'; reason: string }

/** The message is one line for the operator; it never contains the PIN. */
export class TokenError extends Fault<TokenFault> {
  constructor(at: TokenFault, cause?: unknown) {
    super(at, cause, sentenceOf(at))
  }
}

function sentenceOf(at: TokenFault): string {
  switch (at.code) {
    case 'NO_LIBRARY':
      return `PKCS#11 library ${at.library}: ${at.reason}`
    case 'CALL_FAILED':
      return `${at.call} failed: ${at.name}`
    case 'NO_TOKEN':
      return `the library has no token ${at.wanted}; ${at.found.length > 0 ? `it has ${at.found.join(', ')}` : 'it has none'}`
    case 'PIN':
      return at.reason
    case 'NO_KEY':
    case 'UNFIT':
      return `key "${at.label}": ${at.reason}`
    case 'AWAY':
      return at.reason
  }
}
