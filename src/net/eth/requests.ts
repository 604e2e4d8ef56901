import { createRecentSet } from '../../primitives/recentSet.ts'
import { type RlpItem, rlpScalar } from '../../primitives/rlp.ts'
import type { Clock } from '../../system/clock.ts'
import type { DisconnectReason } from '../protocol.ts'
import { badMessage, EthError } from './fault.ts'
import type { EthMessage } from './messages.ts'
import { encodeQuery } from './queries.ts'
import { decodeSparse, rlpParts, rlpPartsOf } from './rlpParts.ts'
import { createScore, type RequestKind } from './score.ts'

const questions = {
  headers: 'getBlockHeaders',
  bodies: 'getBlockBodies',
  receipts: 'getReceipts',
  transactions: 'getPooledTransactions',
} as const satisfies Record<RequestKind, EthMessage>

/** Timeout of a request in milliseconds. */
const answerTime = 5000
/** If the timer fires this many milliseconds late, this thread was busy and the response may be unread. */
const lateBy = 500
const extraTime = 1000
/** Timed-out requests remembered, because responses to them may still arrive. */
const maxExpired = 64

interface Pending {
  readonly kind: RequestKind
  readonly max: number
  readonly settle: (items: readonly Uint8Array[]) => void
  readonly fail: (error: EthError) => void
  cancel: () => void
}

export interface RequestPorts {
  readonly clock: Clock
  send(message: EthMessage, payload: Uint8Array): boolean
  disconnect(reason: DisconnectReason): void
}

/** Questions to one peer that await an answer. */
class PendingRequests {
  private readonly ports: RequestPorts
  private readonly pending = new Map<number, Pending>()
  private readonly expired = createRecentSet<number>(maxExpired)
  private readonly score: ReturnType<typeof createScore>
  private lastId = 0
  private closed = false
  readonly useless

  constructor(ports: RequestPorts) {
    this.ports = ports
    this.score = createScore(ports.clock, ports.disconnect)
    this.useless = this.score.useless
  }

  private expire(id: number, due: number): void {
    const request = this.pending.get(id)!
    const now = this.ports.clock.now()
    if (now - due > lateBy) {
      request.cancel = this.ports.clock.after(extraTime, () => this.expire(id, now + extraTime))
      return
    }
    this.pending.delete(id)
    this.expired.add(id)
    request.fail(new EthError({ code: 'REQUEST_TIMEOUT' }))
    this.score.timedOut(request.kind)
  }

  /** Number of pending requests. */
  readonly load = (): number => this.pending.size

  /**
   * Sends a request. `read` decodes the items of the response, at most `max`, and throws if they are invalid.
   */
  readonly ask = <T>(
    kind: RequestKind,
    wanted: RlpItem,
    max: number,
    read: (items: readonly Uint8Array[]) => T,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++this.lastId
      if (this.closed || !this.ports.send(questions[kind], encodeQuery(id, wanted))) {
        reject(new EthError({ code: 'PEER_GONE' }))
        return
      }
      const due = this.ports.clock.now() + answerTime
      this.pending.set(id, {
        kind,
        max,
        settle: (items) => resolve(read(items)),
        fail: reject,
        cancel: this.ports.clock.after(answerTime, () => this.expire(id, due)),
      })
    })

  /** Handles a response; throws if it is malformed or unsolicited, which disconnects the peer. */
  readonly answer = (kind: RequestKind, payload: Uint8Array): void => {
    const [idPart, list] = rlpPartsOf(payload, 2)
    const id = Number(rlpScalar(decodeSparse(idPart!), 64))
    const request = this.pending.get(id)
    if (!request || request.kind !== kind) {
      if (this.expired.delete(id)) return
      if (![...this.pending.values()].some((other) => other.kind === kind)) throw badMessage(`unsolicited ${kind}`)
      this.score.useless()
      return
    }
    this.pending.delete(id)
    request.cancel()
    this.score.answered(kind)
    try {
      request.settle(rlpParts(list!, request.max))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      request.fail(error instanceof EthError ? error : new EthError({ code: 'BAD_MESSAGE', reason }, error))
      throw error
    }
  }

  readonly close = (): void => {
    this.closed = true
    for (const { cancel, fail } of this.pending.values()) {
      cancel()
      fail(new EthError({ code: 'PEER_GONE' }))
    }
    this.pending.clear()
  }
}

/** Pending requests to one peer. */
export function createRequests(ports: RequestPorts) {
  return new PendingRequests(ports)
}
