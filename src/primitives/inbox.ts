/** A queue that handles events one at a time, in order. */
export interface Inbox<E> {
  /** Handles the event, after any event that is being handled now. */
  put(event: E): void
  /** Drops the waiting events. */
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
