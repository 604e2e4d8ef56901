/** Hands events on, one at a time and in their order. */
export interface Inbox<E> {
  /** An event that comes while another is handled waits until that one is done with. */
  put(event: E): void
  /** Forgets what waits. */
  clear(): void
}

export function createInbox<E>(handle: (event: E) => void): Inbox<E> {
  const waiting: E[] = []
  let isBusy = false
  return {
    put(event) {
      waiting.push(event)
      if (isBusy) return
      isBusy = true
      try {
        while (waiting.length > 0) handle(waiting.shift()!)
      } finally {
        isBusy = false
      }
    },
    clear() {
      waiting.length = 0
    },
  }
}
