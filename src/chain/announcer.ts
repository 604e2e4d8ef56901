import { createInbox } from '../primitives/inbox.ts'

/** Delivers each event to every listener before the next one. */
export interface Announcer<E> {
  announce(event: E): void
  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: E) => void): () => void
}

/** If a listener causes another event, that event is delivered after the current one has reached every listener. */
export function createAnnouncer<E>(): Announcer<E> {
  const listeners = new Set<(event: E) => void>()
  const pending = createInbox<E>((event) => {
    for (const listener of listeners) listener(event)
  })
  return {
    announce: pending.put,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
