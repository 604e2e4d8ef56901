import { emptyBytes, keyOf } from '../../primitives/bytes.ts'
import type { Store } from '../../store/openStore.ts'
import { privateMissing } from '../../store/schema.ts'
import type { Transaction } from '../../store/table.ts'
import type { Clock } from '../../system/clock.ts'
import { type MarkerPlace, placeIn, placeKey, placeRange } from '../sending/markerPlace.ts'

/**
 * Markers whose payload the manager did not have: most are of other parties and stay so. The others' payloads come late, and
 * the keys that are to be asked for again are handed out here.
 */
export interface MissingPayloads {
  /** Remembers a marker; the manager is asked again after a while, some times. */
  add(txn: Transaction, key: Uint8Array, at: MarkerPlace): void
  remove(txn: Transaction, key: Uint8Array, at: MarkerPlace): void
  /** The markers that wait for a payload. */
  placesOf(key: Uint8Array): readonly MarkerPlace[]
  /** Asks for a key as soon as possible. */
  ask(key: Uint8Array): void
  /** Asks once more for all: after a start, or when the manager was unavailable. */
  askAll(): void
  /** The keys that are to be asked for now; they stay until `asked`. */
  due(): readonly Uint8Array[]
  /** The manager was asked for these keys: those that wait still, or for which it failed, are asked for again later. */
  asked(keys: readonly Uint8Array[], failed: readonly Uint8Array[]): void
  stop(): void
}

interface Waiting {
  readonly key: Uint8Array
  readonly attempt: number
  readonly at: number
}

/** Milliseconds after which the manager is asked again; after the last one only `ask` and `askAll` do. */
const delays = [1000, 4000, 16_000, 60_000, 300_000, 1_200_000, 3_600_000]
/** Keys that are asked for at once. */
const pageSize = 64
/** Keys that wait for a time of their own; the oldest make place for new ones. */
const maxWaiting = 20_000

export function createMissingPayloads(store: Store, clock: Clock, onDue: () => void): MissingPayloads {
  const waiting = new Map<string, Waiting>()
  const urgent = new Map<string, Uint8Array>()
  /** The key after which `askAll` goes on; undefined if it has come to the end. */
  let sweepAfter: Uint8Array | undefined
  let sweeping: readonly Uint8Array[] = []
  let timer: { readonly at: number; cancel(): void } | undefined

  function schedule(key: Uint8Array, attempt: number): void {
    const delay = delays[attempt]
    const name = keyOf(key)
    waiting.delete(name)
    if (delay === undefined) return
    if (waiting.size >= maxWaiting) waiting.delete(waiting.keys().next().value!)
    const at = clock.now() + delay
    waiting.set(name, { key, attempt, at })
    wakeAt(at)
  }

  function wakeAt(at: number): void {
    if (timer && timer.at <= at) return
    timer?.cancel()
    const cancel = clock.after(Math.max(0, at - clock.now()), () => {
      timer = undefined
      onDue()
    })
    timer = { at, cancel }
  }

  function isMissing(key: Uint8Array): boolean {
    return store.read((reader) => [...reader.range(privateMissing, { ...placeRange(key, 0), limit: 1 })]).length > 0
  }

  /** The next page of all keys. */
  function nextPage(after: Uint8Array): readonly Uint8Array[] {
    // All places of a key come together: its first row is enough.
    const keys: Uint8Array[] = []
    store.read((reader) => {
      let from = after
      while (keys.length < pageSize) {
        const [row] = reader.range(privateMissing, { ...(from.length > 0 && { from }), limit: 1 })
        if (!row) return
        const key = row[0].slice(0, 32)
        keys.push(key)
        from = placeRange(key, 0).to
      }
    })
    return keys
  }

  return {
    add(txn, key, at) {
      txn.put(privateMissing, placeKey(key, at), Uint8Array.of(1))
      if (!waiting.has(keyOf(key))) schedule(key, 0)
    },
    remove: (txn, key, at) => txn.remove(privateMissing, placeKey(key, at)),
    placesOf: (key) =>
      store.read((reader) => [...reader.range(privateMissing, placeRange(key, 0))].map(([row]) => placeIn(row))),
    ask(key) {
      // A copy: `asked` tells it from the one that was handed out before.
      urgent.set(keyOf(key), key.slice())
    },
    askAll() {
      sweepAfter = emptyBytes
    },
    due() {
      const now = clock.now()
      // The timer is set to the first of them.
      const timed = timer && timer.at > now ? [] : [...waiting.values()].filter(({ at }) => at <= now)
      const keys = [...urgent.values(), ...timed.map(({ key }) => key)].slice(0, pageSize)
      if (keys.length > 0 || sweepAfter === undefined) return keys
      sweeping = nextPage(sweepAfter)
      if (sweeping.length === 0) sweepAfter = undefined
      return sweeping
    },
    asked(keys, failed) {
      if (keys === sweeping) sweepAfter = placeRange(keys.at(-1)!, 0).to
      for (const key of keys) {
        // Unless it has come while the manager was asked, which may have said no just before.
        if (urgent.get(keyOf(key)) === key) urgent.delete(keyOf(key))
        const before = waiting.get(keyOf(key))
        if (failed.includes(key)) schedule(key, Math.min((before?.attempt ?? -1) + 1, delays.length - 1))
        else if (before && before.at <= clock.now()) {
          waiting.delete(keyOf(key))
          if (isMissing(key)) schedule(key, before.attempt + 1)
        }
      }
      if (!timer && waiting.size > 0) wakeAt(Math.min(...[...waiting.values()].map(({ at }) => at)))
    },
    stop() {
      timer?.cancel()
      timer = undefined
    },
  }
}
