import { Fault } from '../../primitives/fault.ts'

export type EthFault =
  /** The peer sent an invalid message; it is disconnected. */
  | { code: 'BAD_MESSAGE'; reason: string }
  /** The peer did not answer a request in time. */
  | { code: 'REQUEST_TIMEOUT' }
  /** The peer disconnected before it answered a request. */
  | { code: 'PEER_GONE' }

/** A peer broke the eth protocol or did not answer. */
export class EthError extends Fault<EthFault> {
  constructor(at: EthFault, cause?: unknown) {
    super(at, cause, messageOf(at))
  }
}

function messageOf(at: EthFault): string {
  switch (at.code) {
    case 'BAD_MESSAGE':
      return `invalid message: ${at.reason}`
    case 'REQUEST_TIMEOUT':
      return 'request timed out'
    case 'PEER_GONE':
      return 'peer disconnected'
  }
}

/** The error for a message that breaks the protocol. */
export function badMessage(reason: string): EthError {
  return new EthError({ code: 'BAD_MESSAGE', reason })
}
