import { decodeRlp, rlpScalar } from '../../primitives/rlp.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { rlpParts } from '../eth/rlpParts.ts'
import type { ProtocolLink, ProtocolSession, SubProtocol } from '../protocol.ts'
import { badMessage, SnapError } from './fault.ts'
import { kindOf, type SnapKind, type SnapResponses, snapCodeCount } from './messages.ts'
import { maxRequestLength } from './requests.ts'
import { encodeResponse } from './responses.ts'
import type { StateServer } from './stateServer.ts'

/** Maximum queued requests of a peer; geth has one of each kind under way. */
const maxWaiting = 32
/** Unsent bytes above which the peer gets no further responses until it has read some. */
const fullBacklog = 4 << 20
const pause = 10
/**
 * Compressing and encrypting a response takes the thread that makes blocks some milliseconds: all peers together get
 * one in so many of them.
 */
const restAfterSend = 4

/** A part of this node that asks peers for state. */
export interface SnapClient {
  /** Called for each peer that offers snap. */
  open(link: ProtocolLink): SnapAsking
}

/** What is asked of one peer. */
export interface SnapAsking {
  /** `payload` is only valid during the call; throws a Fault if the peer breaks the protocol. */
  onResponse(code: number, payload: Uint8Array): void
  onClose(): void
}

export interface SnapProtocolParts {
  readonly server: StateServer
  /** Undefined if this node only serves. */
  readonly client?: SnapClient | undefined
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** Milliseconds since an arbitrary moment, finer than those of the clock. */
  now(): number
  readonly log: Logger
}

interface Waiting {
  readonly code: number
  readonly payload: Uint8Array
}

/** When the next response may be sent, to whichever peer. */
interface Pace {
  next: number
}

const none: { readonly [K in SnapKind]: SnapResponses[K] } = {
  accountRange: { accounts: [], proof: [] },
  storageRanges: { slots: [], proof: [] },
  byteCodes: [],
  trieNodes: [],
}

/** The response of a node that does not have the state. */
function emptyResponse({ code, payload }: Waiting): Uint8Array {
  const { kind } = kindOf(code)
  const [id] = rlpParts(payload)
  return encodeResponse(kind, rlpScalar(decodeRlp(id!), 64), none[kind])
}

/** One peer: serves its requests in order, one at a time, no faster than it reads. */
class SnapSession implements ProtocolSession {
  private readonly parts: SnapProtocolParts
  private readonly link: ProtocolLink
  private readonly pace: Pace
  private readonly waiting: Waiting[] = []
  private isBusy = false
  private isClosed = false
  private cancel: (() => void) | undefined
  private readonly asking: SnapAsking | undefined

  constructor(parts: SnapProtocolParts, link: ProtocolLink, pace: Pace) {
    this.parts = parts
    this.link = link
    this.pace = pace
    this.asking = parts.client?.open(link)
  }

  onMessage(code: number, payload: Uint8Array): void {
    if (kindOf(code).isResponse) {
      if (!this.asking) throw badMessage('a response that nothing asked for')
      this.asking.onResponse(code, payload)
      return
    }
    if (payload.length > maxRequestLength) throw badMessage(`request of ${payload.length} bytes`)
    if (this.waiting.length >= maxWaiting) throw badMessage('too many requests at once')
    this.waiting.push({ code, payload: payload.slice() })
    this.work()
  }

  onClose(): void {
    this.isClosed = true
    this.asking?.onClose()
    this.waiting.length = 0
    this.cancel?.()
  }

  private work(): void {
    if (this.isBusy || this.isClosed) return
    const request = this.waiting.shift()
    if (!request) return
    this.isBusy = true
    this.answer(request).then(
      (response) => this.send(request.code + 1, response),
      (error: unknown) => this.refuse(error),
    )
  }

  private async answer(request: Waiting): Promise<Uint8Array> {
    const { link, parts } = this
    try {
      return await parts.server.ask({ ...request, peer: link.peer.address, isGone: () => this.isClosed })
    } catch (error) {
      if (error instanceof SnapError) throw error
      parts.log.debug({ peer: link.peer.clientId, error: String(error) }, 'state was not served')
      return emptyResponse(request)
    }
  }

  private refuse(error: unknown): void {
    if (this.isClosed) return
    this.parts.log.debug({ peer: this.link.peer.clientId, error: String(error) }, 'invalid request for state')
    this.link.disconnect('breachOfProtocol')
  }

  private send(code: number, response: Uint8Array): void {
    if (this.isClosed) return
    const { parts, link, pace } = this
    const early = pace.next - parts.now()
    if (early > 0 || link.backlog() >= fullBacklog) {
      this.cancel = parts.clock.after(Math.max(early, pause), () => this.send(code, response))
      return
    }
    const before = parts.now()
    link.send(code, response)
    const after = parts.now()
    pace.next = after + (after - before) * restAfterSend
    this.isBusy = false
    this.work()
  }
}

/** The protocol by which peers take over the state. */
export function createSnapProtocol(parts: SnapProtocolParts): SubProtocol {
  const pace: Pace = { next: 0 }
  return { name: 'snap', version: 1, length: snapCodeCount, open: (link) => new SnapSession(parts, link, pace) }
}
