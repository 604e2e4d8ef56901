import { Fault } from '../primitives/fault.ts'

/** What is wrong with a genesis file; `sentence` below has the text of each. */
export type GenesisFault =
  | { code: 'GENESIS_NOT_JSON'; reason: string }
  | { code: 'GENESIS_NOT_OBJECT'; at: string }
  | { code: 'GENESIS_MISSING'; key: string }
  | { code: 'GENESIS_NOT_A_NUMBER'; key: string; have: string }
  | { code: 'GENESIS_NOT_HEX'; key: string; have: string }
  | { code: 'GENESIS_WRONG_LENGTH'; key: string; want: number; have: number }
  | { code: 'GENESIS_INVALID_VALUE'; key: string; have: string; want: string }
  | { code: 'GENESIS_TWICE'; key: string; have: string }
  | { code: 'GENESIS_UNSUPPORTED'; key: string; reason: string }
  | { code: 'GENESIS_FORK_ORDER'; earlier: string; later: string }

/** An invalid genesis file; the message is one line for the operator. */
export class GenesisError extends Fault<GenesisFault> {
  constructor(at: GenesisFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

/** Longest part of a value that is shown. */
const maxShown = 80

function shorten(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}

function sentence(at: GenesisFault): string {
  const start = 'Invalid genesis block configuration, '
  switch (at.code) {
    case 'GENESIS_NOT_JSON':
      return `Invalid genesis file, not JSON: ${at.reason}`
    case 'GENESIS_NOT_OBJECT':
      return `${start}${at.at} must be a JSON object`
    case 'GENESIS_MISSING':
      return `${start}missing value for '${at.key}'`
    case 'GENESIS_NOT_A_NUMBER':
      return `${start}${at.key} must be a number but was '${shorten(at.have)}'`
    case 'GENESIS_NOT_HEX':
      return `${start}${at.key} must be hexadecimal but was '${shorten(at.have)}'`
    case 'GENESIS_WRONG_LENGTH':
      return `${start}${at.key} must have ${at.want} bytes but has ${at.have}`
    case 'GENESIS_INVALID_VALUE':
      return `${start}${at.key} must be ${at.want} but was '${shorten(at.have)}'`
    case 'GENESIS_TWICE':
      return `${start}${at.key} has ${at.have} twice, with different values`
    case 'GENESIS_UNSUPPORTED':
      return `${start}${at.key}: ${at.reason}`
    case 'GENESIS_FORK_ORDER':
      return `${start}${at.later} comes before ${at.earlier}`
  }
}
