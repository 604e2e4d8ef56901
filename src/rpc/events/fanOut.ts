import type { Stop } from './subscriptions.ts'

/** Tells many listeners of the same events, each of them in order. */
export interface FanOut<E> {
  add(listener: (event: E) => void): Stop
}

/** Milliseconds of notifying after which everything else has its turn. */
const maxTurn = 5

/**
 * Creates a fan-out that listens to the source while somebody listens to it. Thousands of listeners are notified piece by piece: the
 * chain and other clients do not wait for the last of them.
 */
export function createFanOut<E>(
  source: (publish: (event: E) => void) => Stop,
  now: () => number = () => performance.now(),
): FanOut<E> {
  const listeners = new Set<(event: E) => void>()
  /** Events and those who are to be notified: anyone who comes later gets later events only. */
  const queue: { readonly event: E; readonly audience: readonly ((event: E) => void)[]; next: number }[] = []
  /** Those who listen now, until others do: events in a row share the list. */
  let everybody: readonly ((event: E) => void)[] | undefined
  let isNotifying = false
  let stop: Stop | undefined

  function publish(event: E): void {
    everybody ??= [...listeners]
    queue.push({ event, audience: everybody, next: 0 })
    if (!isNotifying) notify()
  }

  function notify(): void {
    const end = now() + maxTurn
    for (let first = queue[0]; first; first = queue[0]) {
      while (first.next < first.audience.length) {
        const listener = first.audience[first.next++]!
        if (listeners.has(listener)) listener(first.event)
        if (now() < end) continue
        isNotifying = true
        setImmediate(notify)
        return
      }
      queue.shift()
    }
    isNotifying = false
  }

  return {
    add(listener) {
      listeners.add(listener)
      everybody = undefined
      stop ??= source(publish)
      return () => {
        listeners.delete(listener)
        everybody = undefined
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      }
    },
  }
}
