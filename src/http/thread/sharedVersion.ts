/** A number that threads share: what they know of the chain is outdated when it changes. */
export interface SharedVersion {
  readonly number: Int32Array
  /** Calls the listener in this thread after each change; returns a function that stops that. */
  onRaise(listener: () => void): () => void
}

/** A version, and the function that changes it. */
export interface RaisedVersion extends SharedVersion {
  raise(): void
}

export function createSharedVersion(): RaisedVersion {
  const number = new Int32Array(new SharedArrayBuffer(4))
  const listeners = new Set<() => void>()
  return {
    number,
    onRaise(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    raise() {
      Atomics.add(number, 0, 1)
      for (const listener of listeners) listener()
    },
  }
}
