import { RpcError } from '../protocol/fault.ts'

/** Ends a subscription. */
export type Stop = () => void

/** A subscription type. */
export interface SubscriptionKind {
  /** Checks the options and starts; `emit` is called with the JSON text of each event. */
  start(options: unknown, emit: (result: string) => void): Stop
}

/** The subscriptions of one connection. */
export interface Session {
  /** Starts a subscription and returns its id. */
  subscribe(kind: string, options: unknown): bigint
  /** Starts any other subscription; `start` gets a function that sends notifications with a method and members of their own. */
  open(start: (notify: (method: string, members: string) => void) => Stop): bigint
  /** Returns false if this connection has no such subscription. */
  unsubscribe(id: bigint): boolean
  /** Ends all of them. */
  close(): void
}

/** Sends a notification. */
export type Send = (text: string) => void

/** Creates sessions; subscription ids are unique within the process, as in Besu. */
export function createSubscriptions(kinds: Readonly<Record<string, SubscriptionKind>>): (send: Send) => Session {
  let lastId = 0n
  return (send) => {
    const running = new Map<bigint, Stop>()
    const open: Session['open'] = (start) => {
      const id = ++lastId
      const params = `"params":{"subscription":"0x${id.toString(16)}"`
      running.set(
        id,
        start((method, members) => send(`{"jsonrpc":"2.0","method":"${method}",${params},${members}}}`)),
      )
      return id
    }
    return {
      subscribe(name, options) {
        const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
        if (!kind) throw new RpcError({ code: 'INVALID_REQUEST' })
        return open((notify) => kind.start(options, (result) => notify('eth_subscription', `"result":${result}`)))
      },
      open,
      unsubscribe(id) {
        const stop = running.get(id)
        if (!stop) return false
        running.delete(id)
        stop()
        return true
      },
      close() {
        for (const stop of running.values()) stop()
        running.clear()
      },
    }
  }
}
