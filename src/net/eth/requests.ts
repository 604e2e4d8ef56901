import type { Clock } from '../../primitives/clock.ts'
import { createRecentSet } from '../../primitives/recentSet.ts'
import { type RlpItem, rlpScalar } from '../../primitives/rlp.ts'
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

/** Milliseconds that a peer has for an answer. */
const answerTime = 5000
/** When the timer itself comes this late, this thread was busy and the answer may be waiting to be read. */
const lateBy = 500
const extraTime = 1000
/** Requests that were given up but may still be answered. */
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

/** Requests to one peer that wait for their answers. */
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
    /** How many requests are under way. */
    load: (): number => pending.size,
    /**
     * Asks; `read` turns the encoded items of the answer, `max` of them, into a value, and throws when no honest peer
     * sends them.
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
    /** Takes an answer in; throws when it is none, which ends the connection. */
    answer(kind: RequestKind, payload: Uint8Array): void {
      const [idPart, list] = rlpPartsOf(payload, 2)
      const id = Number(rlpScalar(decodeSparse(idPart!), 64))
      const request = pending.get(id)
      if (!request || request.kind !== kind) {
        if (expired.delete(id)) return
        if (![...pending.values()].some((other) => other.kind === kind))
          throw badMessage(`${kind} that nobody asked for`)
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
        request.fail(new EthError({ code: 'BAD_MESSAGE', reason }, error))
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
