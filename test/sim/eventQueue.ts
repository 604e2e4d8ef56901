interface Entry {
  readonly at: number
  /** Among those of one time the first added comes first. */
  readonly order: number
  readonly happen: () => void
}

/** What is still to happen, soonest first. */
export interface EventQueue {
  add(at: number, happen: () => void): void
  /** The next entry, unless it comes after `until`. */
  take(until: number): Entry | undefined
}

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** A binary heap. */
export function createEventQueue(): EventQueue {
  const heap: Entry[] = []
  let count = 0

  function rise(from: number): void {
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBefore(heap[at]!, heap[above]!)) return
      swap(at, above)
      at = above
    }
  }

  function sink(): void {
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      let first = at
      if (left < heap.length && isBefore(heap[left]!, heap[first]!)) first = left
      if (left + 1 < heap.length && isBefore(heap[left + 1]!, heap[first]!)) first = left + 1
      if (first === at) return
      swap(at, first)
      at = first
    }
  }

  function swap(a: number, b: number): void {
    const entry = heap[a]!
    heap[a] = heap[b]!
    heap[b] = entry
  }

  return {
    add(at, happen) {
      heap.push({ at, order: count++, happen })
      rise(heap.length - 1)
    },
    take(until) {
      const top = heap[0]
      if (!top || top.at > until) return undefined
      const last = heap.pop()!
      if (heap.length > 0) {
        heap[0] = last
        sink()
      }
      return top
    },
  }
}
