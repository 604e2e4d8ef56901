import { dropOldest } from '../../primitives/dropOldest.ts'
import type { Echo } from './repeats.ts'

/** A request whose reply, the last one that was sent, may be repeated to the same request. */
export interface Repeatable {
  /** Bytes of the request. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly until: number
  readonly echo: Echo
  /** Called with how often it was repeated, a second later at most. */
  readonly counted?: ((times: number) => void) | undefined
  /** Makes the reply anew for the next version; undefined if that is not done at once. */
  readonly renew?: (() => Renewal | undefined) | undefined
}

/** What a reply is now. */
export interface Renewal {
  /** Head and body, one byte per character. */
  readonly reply: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** The replies that a thread may repeat, by their numbers. */
export interface RepeatBook {
  /** Adds a reply and returns its number. */
  add(repeatable: Repeatable): number
  /** Takes the thread's report: numbers of replies, each followed by how often it was repeated. */
  count(report: readonly number[]): void
  /** Makes replies anew that are asked for all the time, so that no client waits for the node after each head. */
  renewAll(send: (number: number, renewal: Renewal) => void): void
}

interface Entry {
  readonly repeatable: Repeatable
  /** When it was last asked for. */
  used: number
}

/** Entries that are remembered, and those of them that are made anew. */
const maxEntries = 4096
const maxRenewed = 64
/** Milliseconds for which a reply that nobody asks for is made anew. */
const maxUnused = 3000
/** Milliseconds that all renewals of one head may take, and that lie between those of two heads. */
const maxRenewing = 1
const minPause = 100

export function createRepeatBook(now: () => number = () => performance.now()): RepeatBook {
  const entries = new Map<number, Entry>()
  const renewed = new Map<number, Entry>()
  let lastNumber = 0
  let lastRenewal = Number.NEGATIVE_INFINITY

  return {
    add(repeatable) {
      const number = ++lastNumber
      const entry = { repeatable, used: now() }
      entries.set(number, entry)
      if (repeatable.renew) renewed.set(number, entry)
      dropOldest(entries, maxEntries)
      dropOldest(renewed, maxRenewed)
      return number
    },
    count(report) {
      for (let i = 0; i < report.length; i += 2) {
        const entry = entries.get(report[i]!)
        if (!entry) continue
        entry.used = now()
        entry.repeatable.counted?.(report[i + 1]!)
      }
    },
    renewAll(send) {
      const began = now()
      // When blocks come in a row, a client that asks now and then would cause work for each.
      const isCalm = began - lastRenewal >= minPause
      lastRenewal = began
      for (const [number, entry] of renewed) {
        const { repeatable, used } = entry
        const isWanted = isCalm && began - used < maxUnused && now() - began < maxRenewing
        const renewal = isWanted ? repeatable.renew!() : undefined
        if (renewal) {
          send(number, renewal)
          // It is not the oldest any more.
          entries.delete(number)
          entries.set(number, entry)
        } else renewed.delete(number)
      }
    },
  }
}
