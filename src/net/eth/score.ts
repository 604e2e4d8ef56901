import type { Clock } from '../../system/clock.ts'
import type { DisconnectReason } from '../protocol.ts'

/** Kinds of requests to a peer. */
export type RequestKind = 'headers' | 'bodies' | 'receipts' | 'transactions'

const maxTimeouts = 3
const maxUseless = 5
/** Milliseconds during which useless responses are counted. */
const uselessWindow = 60_000

/** Counts a peer's failures and disconnects it when there are too many. */
export function createScore(clock: Clock, disconnect: (reason: DisconnectReason) => void) {
  const timeouts = new Map<RequestKind, number>()
  let useless: number[] = []
  return {
    /** A response resets the count of timeouts of the same kind. */
    answered(kind: RequestKind): void {
      timeouts.delete(kind)
    },
    timedOut(kind: RequestKind): void {
      const count = (timeouts.get(kind) ?? 0) + 1
      timeouts.set(kind, count)
      if (count >= maxTimeouts) disconnect('timeout')
    },
    /** Counts a response that was valid but useless. */
    useless(): void {
      const now = clock.now()
      useless = [...useless.filter((at) => now - at < uselessWindow), now]
      if (useless.length >= maxUseless) disconnect('uselessPeer')
    },
  }
}
