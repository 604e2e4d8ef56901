import { RpcError } from '../protocol/fault.ts'
import { createNotifier, type Notification } from './notification.ts'

/** Ends a subscription. */
export type Stop = () => void

/** A subscription type. */
export interface SubscriptionKind {
  /** Checks the options and starts; `emit` is called with the JSON text of each event, the same string for all subscribers. */
  start(options: unknown, emit: (result: string) => void): Stop
}

/** The subscriptions of one connection. */
export interface Session {
  /** Starts a subscription and returns its id. */
  subscribe(kind: string, options: unknown): bigint
  /** Starts any other subscription; `start` gets a function that sends notifications. */
  open(start: (notify: Notify) => Stop): bigint
  /** Returns false if this connection has no such subscription. */
  unsubscribe(id: bigint): boolean
  /** Subscriptions that run. */
  count(): number
  /** Ends all of them. */
  close(): void
}

/** Sends a notification with members of its own: what they begin with, and the rest, the same string for all subscribers. */
export type Notify = (method: string, beginning: string, rest: string) => void

/** Sends a notification. */
export type Send = (notification: Notification) => void

/** Subscriptions of one connection: a client that follows hundreds of contracts has one or two for each. */
export const maxSubscriptions = 1000

/**
 * Creates sessions; subscription ids are unique within the process, as in Besu. `maxOfAll` limits the subscriptions of all connections; 0 sets
 * no limit.
 */
export function createSubscriptions(
  kinds: Readonly<Record<string, SubscriptionKind>>,
  maxOfAll = 0,
): (send: Send) => Session {
  const notifier = createNotifier()
  let lastId = 0n
  let total = 0
  return (send) => {
    const running = new Map<bigint, Stop>()
    const open: Session['open'] = (start) => {
      if (running.size >= maxSubscriptions) throw new RpcError({ code: 'TOO_MANY_SUBSCRIPTIONS' })
      if (maxOfAll > 0 && total >= maxOfAll) throw new RpcError({ code: 'SUBSCRIPTIONS_EXHAUSTED' })
      const id = ++lastId
      const text = `0x${id.toString(16)}`
      running.set(
        id,
        start((method, beginning, rest) => send(notifier(method, text, beginning, rest))),
      )
      total++
      return id
    }
    return {
      subscribe(name, options) {
        const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
        if (!kind) throw new RpcError({ code: 'INVALID_REQUEST' })
        return open((notify) => kind.start(options, (result) => notify('eth_subscription', '"result":', result)))
      },
      open,
      unsubscribe(id) {
        const stop = running.get(id)
        if (!stop) return false
        running.delete(id)
        total--
        stop()
        return true
      },
      count: () => running.size,
      close() {
        for (const stop of running.values()) stop()
        total -= running.size
        running.clear()
      },
    }
  }
}
