import type { Clock } from '../../primitives/clock.ts'
import type { DisconnectReason } from '../protocol.ts'

/** What can be asked of a peer. */
export type RequestKind = 'headers' | 'bodies' | 'transactions'

const maxTimeouts = 3
const maxUseless = 5
/** Milliseconds in which useless answers add up. */
const uselessWindow = 60_000

/** Keeps count of a peer's failures and ends the connection when there are too many. */
export function createScore(clock: Clock, disconnect: (reason: DisconnectReason) => void) {
  const timeouts = new Map<RequestKind, number>()
  let useless: number[] = []
  return {
    /** Timeouts only count while nothing of the same kind is answered in between. */
    answered(kind: RequestKind): void {
      timeouts.delete(kind)
    },
    timedOut(kind: RequestKind): void {
      const count = (timeouts.get(kind) ?? 0) + 1
      timeouts.set(kind, count)
      if (count >= maxTimeouts) disconnect('timeout')
    },
    /** An answer that is allowed but was of no use. */
    useless(): void {
      const now = clock.now()
      useless = [...useless.filter((at) => now - at < uselessWindow), now]
      if (useless.length >= maxUseless) disconnect('uselessPeer')
    },
  }
}
