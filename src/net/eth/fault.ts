import { Fault } from '../../primitives/fault.ts'

export type EthFault =
  /** The peer broke the protocol; the connection ends. */
  { code: 'BAD_MESSAGE'; reason: string } | { code: 'REQUEST_TIMEOUT' } | { code: 'PEER_GONE' }
export class EthError extends Fault<EthFault> {}

/** What a peer sent that no honest one does. */
export function badMessage(reason: string): EthError {
  return new EthError({ code: 'BAD_MESSAGE', reason })
}
