import { Fault } from '../primitives/fault.ts'

/** Why a key server does not sign, or cannot work. */
export type KeyServerFault =
  /** What was sent is not of the kind that it is said to be. */
  | { code: 'MALFORMED'; reason: string }
  /** It would contradict what was signed, or might. */
  | { code: 'CONTRADICTION'; reason: string }
  /** The record of what was signed is missing, damaged, or of another key. */
  | { code: 'RECORD'; path: string; reason: string }
  /** The server cannot be asked, or is not the one that was meant. */
  | { code: 'NO_SERVER'; url: string; reason: string }

export class KeyServerError extends Fault<KeyServerFault> {
  constructor(at: KeyServerFault, cause?: unknown) {
    super(at, cause, messageOf(at))
  }
}

function messageOf(at: KeyServerFault): string {
  switch (at.code) {
    case 'MALFORMED':
    case 'CONTRADICTION':
      return at.reason
    case 'RECORD':
      return `${at.path}: ${at.reason}`
    case 'NO_SERVER':
      return `key server ${at.url}: ${at.reason}`
  }
}
