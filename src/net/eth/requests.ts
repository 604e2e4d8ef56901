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

/** Pending requests to one peer. */
export function createRequests({ clock, send, disconnect }: RequestPorts) {
  const pending = new Map<number, Pending>()
  const expired = createRecentSet<number>(maxExpired)
  const score = createScore(clock, disconnect)
  let lastId = 0
  let closed = false

  function expire(id: number, due: number): void {
    const request = pending.get(id)!
    const now = clock.now()
    if (now - due > lateBy) {
      request.cancel = clock.after(extraTime, () => expire(id, now + extraTime))
      return
    }
    pending.delete(id)
    expired.add(id)
    request.fail(new EthError({ code: 'REQUEST_TIMEOUT' }))
    score.timedOut(request.kind)
  }

  return {
    useless: score.useless,
    /** Number of pending requests. */
    load: (): number => pending.size,
    /**
     * Sends a request. `read` decodes the items of the response, at most `max`, and throws if they are invalid.
     */
    ask<T>(kind: RequestKind, wanted: RlpItem, max: number, read: (items: readonly Uint8Array[]) => T): Promise<T> {
      return new Promise((resolve, reject) => {
        const id = ++lastId
        if (closed || !send(questions[kind], encodeQuery(id, wanted))) {
          reject(new EthError({ code: 'PEER_GONE' }))
          return
        }
        const due = clock.now() + answerTime
        pending.set(id, {
          kind,
          max,
          settle: (items) => resolve(read(items)),
          fail: reject,
          cancel: clock.after(answerTime, () => expire(id, due)),
        })
      })
    },
    /** Handles a response; throws if it is malformed or unsolicited, which disconnects the peer. */
    answer(kind: RequestKind, payload: Uint8Array): void {
      const [idPart, list] = rlpPartsOf(payload, 2)
      const id = Number(rlpScalar(decodeSparse(idPart!), 64))
      const request = pending.get(id)
      if (!request || request.kind !== kind) {
        if (expired.delete(id)) return
        if (![...pending.values()].some((other) => other.kind === kind)) throw badMessage(`unsolicited ${kind}`)
        score.useless()
        return
      }
      pending.delete(id)
      request.cancel()
      score.answered(kind)
      try {
        request.settle(rlpParts(list!, request.max))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        request.fail(error instanceof EthError ? error : new EthError({ code: 'BAD_MESSAGE', reason }, error))
        throw error
      }
    },
    close(): void {
      closed = true
      for (const { cancel, fail } of pending.values()) {
        cancel()
        fail(new EthError({ code: 'PEER_GONE' }))
      }
      pending.clear()
    },
  }
}
