/** The latest events, kept once for all who read them; each reader remembers its own position. */
export interface EventLog<T> {
  /** The position after the newest event. */
  end(): number
  push(events: readonly T[]): void
  /** The events from a position on; undefined if some of them are no longer kept. */
  since(position: number): readonly T[] | undefined
  /** Drops the events before a position. */
  dropBefore(position: number): void
}

/** Creates a log that keeps at least the newest `min` events, and at most twice as many. */
export function createEventLog<T>(min: number): EventLog<T> {
  let events: T[] = []
  /** The position of the first event that is kept. */
  let first = 0

  function dropBefore(position: number): void {
    if (position <= first) return
    events = events.slice(position - first)
    first = position
  }

  return {
    end: () => first + events.length,
    push(more) {
      for (const event of more) events.push(event)
      if (events.length > 2 * min) dropBefore(first + events.length - min)
    },
    since: (position) => (position < first ? undefined : events.slice(position - first)),
    dropBefore,
  }
}
