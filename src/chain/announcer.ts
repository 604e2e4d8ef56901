import { createInbox } from '../primitives/inbox.ts'

/** Tells listeners of events, each of all of them before the next. */
export interface Announcer<E> {
  announce(event: E): void
  /** Gives a function that ends it. */
  subscribe(listener: (event: E) => void): () => void
}

/** What a listener does may lead to another event: it is told of after everyone knows of the one before. */
export function createAnnouncer<E>(): Announcer<E> {
  const listeners = new Set<(event: E) => void>()
  const untold = createInbox<E>((event) => {
    for (const listener of listeners) listener(event)
  })
  return {
    announce: untold.put,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
