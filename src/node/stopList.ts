/** How to stop the parts of a node that have started. */
export interface StopList {
  /** Adds a part that has started, or is about to. */
  add(stop: () => unknown): void
  /** Stops the parts, the last one first, each after the one before has stopped. */
  stopAll(): Promise<void>
}

export function createStopList(): StopList {
  const stops: (() => unknown)[] = []
  return {
    add: (stop) => void stops.push(stop),
    async stopAll() {
      for (const stop of stops.splice(0).reverse()) await stop()
    },
  }
}
