/** How to stop the parts of a node that have started. */
export interface StopList {
  /** Adds a part that has started, or is about to. */
  add(stop: () => unknown): void
  /** Stops the parts, the last one first, each after the one before has stopped. If one fails, the others stop all the same. */
  stopAll(): Promise<void>
}

export function createStopList(): StopList {
  const stops: (() => unknown)[] = []
  return {
    add: (stop) => void stops.push(stop),
    async stopAll() {
      const failures: unknown[] = []
      for (const stop of stops.splice(0).reverse()) {
        try {
          await stop()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length) throw failures[0]
    },
  }
}
