/** A queue that handles events one at a time, in order. */
export interface Inbox<E> {
  /** Handles the event, after any event that is being handled now. */
  put(event: E): void
  /** Lets events wait until the function that it returns is called. */
  hold(): () => void
  /** Drops the waiting events. */
  clear(): void
}

export function createInbox<E>(handle: (event: E) => void): Inbox<E> {
  const waiting: E[] = []
  let isBusy = false
  let isHeld = false

  function handleAll(): void {
    if (isBusy) return
    isBusy = true
    try {
      while (waiting.length > 0 && !isHeld) handle(waiting.shift()!)
    } finally {
      isBusy = false
    }
  }

  return {
    put(event) {
      waiting.push(event)
      handleAll()
    },
    hold() {
      isHeld = true
      return () => {
        isHeld = false
        handleAll()
      }
    },
    clear() {
      waiting.length = 0
    },
  }
}
