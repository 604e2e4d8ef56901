import type { Authority, Caller } from '../../auth/authority.ts'
import type { RateLimit } from '../../http/rateLimit.ts'
import { andThen } from '../../primitives/andThen.ts'
import type { Reply } from '../protocol/dispatcher.ts'
import { faultReply } from '../protocol/reply.ts'
import type { Requester } from '../protocol/requester.ts'

/** Where a request comes from. */
export interface Sender {
  /** IP address. */
  readonly address: string | undefined
  /** The header of this name. */
  readonly authorization: string | undefined
  /** Whether it has disconnected. */
  readonly isGone?: (() => boolean) | undefined
}

/** Who may use a server, and how often. */
export interface Access {
  /** Absent where nobody has to authenticate. */
  readonly authority?: Authority | undefined
  readonly rateLimit?: RateLimit | undefined
}

const unauthorized = faultReply('UNAUTHORIZED')
const tooMany = faultReply('TOO_MANY_REQUESTS')

/** What stands between the requests of one HTTP server and its methods. */
export interface Gate {
  /** The reply to a request that need not be read; undefined for others. */
  refuse(sender: Sender): Reply | undefined
  /** Answers a request as the one who sent it. */
  answerAs<A>(sender: Sender, dispatch: (requester: Requester | undefined) => A): A | Promise<Awaited<A>>
}

export function createGate({ authority, rateLimit }: Access): Gate {
  function requesterOf(address: string | undefined, caller: Caller | undefined): Requester | undefined {
    if (!rateLimit) return caller
    return { ...caller, spend: (calls) => rateLimit.spend(address, calls) }
  }
  return {
    refuse({ address, authorization }) {
      if (rateLimit?.isOver(address)) return tooMany
      if (!authority || authority.mayAsk(authorization)) return undefined
      rateLimit?.spend(address, 1)
      return unauthorized
    },
    answerAs({ address, authorization }, dispatch) {
      if (!authority) return dispatch(requesterOf(address, undefined))
      const caller = authority.callerOf(authorization)
      return andThen(caller, (known) => dispatch(requesterOf(address, known)))
    },
  }
}

/** The requester of a WebSocket connection, whose token may expire while it is open. */
export interface WsRequester extends Requester {
  isExpired(): boolean
}

/** Identifies the client of a WebSocket connection by its handshake; undefined where everybody may do everything. */
export function identify(
  { authority, rateLimit }: Access,
  { address, authorization }: Sender,
): WsRequester | undefined | Promise<WsRequester> {
  const spend = rateLimit && ((calls: number) => rateLimit.spend(address, calls))
  if (!authority) return spend && { spend, isExpired: () => false }
  const { anybody } = authority
  return andThen(authority.callerOf(authorization), (caller) => ({
    may: (method: string) => (authority.isExpired(caller) ? anybody : caller).may(method),
    spend,
    isAuthenticated: caller.isAuthenticated,
    privacyPublicKey: caller.privacyPublicKey,
    isExpired: () => authority.isExpired(caller),
  })) as WsRequester | Promise<WsRequester>
}
