/** Tells listeners of events, each of all of them before the next. */
export interface Announcer<E> {
  announce(event: E): void
  /** Gives a function that ends it. */
  subscribe(listener: (event: E) => void): () => void
}

/** What a listener does may lead to another event: it is told of after everyone knows of the one before. */
export function createAnnouncer<E>(): Announcer<E> {
  const listeners = new Set<(event: E) => void>()
  const untold: E[] = []
  let isTelling = false
  return {
    announce(event) {
      untold.push(event)
      if (isTelling) return
      isTelling = true
      try {
        for (let next = untold.shift(); next !== undefined; next = untold.shift())
          for (const listener of listeners) listener(next)
      } finally {
        isTelling = false
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
