import type { Clock } from '../../system/clock.ts'
import type { ProtocolLink } from '../protocol.ts'
import type { Answers, RequestMessage } from './answers.ts'
import { badMessage } from './fault.ts'
import { ethCodes } from './messages.ts'

/** Maximum queued requests of a peer; usual are a handful. */
const maxWaiting = 64
/** Unsent bytes above which the peer gets no further responses until it has read some. */
const fullBacklog = 4 << 20
const pause = 10
/** Rate limit of a peer: a unit is a KiB sent or a quarter of a lookup. */
const unitsPerSecond = 200_000
const unitsPerLookup = 4

/** Serves one peer's requests in order, no faster than it reads and than its rate limit allows. */
export interface RequestServer {
  /** Serves or queues a request; throws if it is malformed or too many are queued. */
  receive(message: RequestMessage, payload: Uint8Array): void
  /** Drops the queued requests. */
  close(): void
}

export function createRequestServer(link: ProtocolLink, answer: Answers, clock: Clock): RequestServer {
  const waiting: { message: RequestMessage; payload: Uint8Array }[] = []
  let cancel: (() => void) | undefined
  let credit = unitsPerSecond
  let creditAt = clock.now()

  function isOpen(): boolean {
    const now = clock.now()
    credit = Math.min(unitsPerSecond, credit + ((now - creditAt) * unitsPerSecond) / 1000)
    creditAt = now
    return credit > 0 && link.backlog() < fullBacklog
  }

  function serve(message: RequestMessage, payload: Uint8Array): void {
    const { message: reply, payload: bytes, lookups } = answer(message, payload)
    credit -= lookups * unitsPerLookup + bytes.length / 1024
    link.send(ethCodes[reply], bytes)
  }

  function work(): void {
    cancel = undefined
    try {
      while (waiting.length > 0 && isOpen()) {
        const { message, payload } = waiting.shift()!
        serve(message, payload)
      }
    } catch {
      link.disconnect('breachOfProtocol')
      return
    }
    if (waiting.length > 0) cancel = clock.after(pause, work)
  }

  return {
    receive(message, payload) {
      if (waiting.length === 0 && isOpen()) {
        serve(message, payload)
        return
      }
      if (waiting.length >= maxWaiting) throw badMessage('too many requests at once')
      waiting.push({ message, payload: payload.slice() })
      cancel ??= clock.after(pause, work)
    },
    close() {
      waiting.length = 0
      cancel?.()
    },
  }
}
