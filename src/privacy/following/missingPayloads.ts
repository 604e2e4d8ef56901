import { emptyBytes, keyOf } from '../../primitives/bytes.ts'
import { privateMissing } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
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

/** Payloads that a block names and the manager does not have yet. */
class AwaitedPayloads implements MissingPayloads {
  private readonly store: Store
  private readonly clock: Clock
  private readonly onDue: () => void
  private readonly waiting = new Map<string, Waiting>()
  private readonly urgent = new Map<string, Uint8Array>()
  /** The key after which `askAll` goes on; undefined if it has come to the end. */
  private sweepAfter: Uint8Array | undefined
  private sweeping: readonly Uint8Array[] = []
  private timer: { readonly at: number; cancel(): void } | undefined

  constructor(store: Store, clock: Clock, onDue: () => void) {
    this.onDue = onDue
    this.clock = clock
    this.store = store
  }

  private schedule(key: Uint8Array, attempt: number): void {
    const delay = delays[attempt]
    const name = keyOf(key)
    this.waiting.delete(name)
    if (delay === undefined) return
    if (this.waiting.size >= maxWaiting) this.waiting.delete(this.waiting.keys().next().value!)
    const at = this.clock.now() + delay
    this.waiting.set(name, { key, attempt, at })
    this.wakeAt(at)
  }

  private wakeAt(at: number): void {
    if (this.timer && this.timer.at <= at) return
    this.timer?.cancel()
    const cancel = this.clock.after(Math.max(0, at - this.clock.now()), () => {
      this.timer = undefined
      this.onDue()
    })
    this.timer = { at, cancel }
  }

  private isMissing(key: Uint8Array): boolean {
    return (
      this.store.read((reader) => [...reader.range(privateMissing, { ...placeRange(key, 0), limit: 1 })]).length > 0
    )
  }

  /** The next page of all keys. */
  private nextPage(after: Uint8Array): readonly Uint8Array[] {
    // All places of a key come together: its first row is enough.
    const keys: Uint8Array[] = []
    this.store.read((reader) => {
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

  readonly add: MissingPayloads['add'] = (txn, key, at) => {
    txn.put(privateMissing, placeKey(key, at), Uint8Array.of(1))
    if (!this.waiting.has(keyOf(key))) this.schedule(key, 0)
  }

  readonly remove: MissingPayloads['remove'] = (txn, key, at) => txn.remove(privateMissing, placeKey(key, at))

  readonly placesOf: MissingPayloads['placesOf'] = (key) =>
    this.store.read((reader) => [...reader.range(privateMissing, placeRange(key, 0))].map(([row]) => placeIn(row)))

  readonly ask: MissingPayloads['ask'] = (key) => {
    // A copy: `asked` distinguishes it from the one that was handed out before.
    this.urgent.set(keyOf(key), key.slice())
  }

  readonly askAll: MissingPayloads['askAll'] = () => {
    this.sweepAfter = emptyBytes
  }

  readonly due: MissingPayloads['due'] = () => {
    const now = this.clock.now()
    // The timer is set to the first of them.
    const timed = this.timer && this.timer.at > now ? [] : [...this.waiting.values()].filter(({ at }) => at <= now)
    const keys = [...this.urgent.values(), ...timed.map(({ key }) => key)].slice(0, pageSize)
    if (keys.length > 0 || this.sweepAfter === undefined) return keys
    this.sweeping = this.nextPage(this.sweepAfter)
    if (this.sweeping.length === 0) this.sweepAfter = undefined
    return this.sweeping
  }

  readonly asked: MissingPayloads['asked'] = (keys, failed) => {
    if (keys === this.sweeping) this.sweepAfter = placeRange(keys.at(-1)!, 0).to
    for (const key of keys) {
      // Unless it has come while the manager was asked, which may have said no just before.
      if (this.urgent.get(keyOf(key)) === key) this.urgent.delete(keyOf(key))
      const before = this.waiting.get(keyOf(key))
      if (failed.includes(key)) this.schedule(key, Math.min((before?.attempt ?? -1) + 1, delays.length - 1))
      else if (before && before.at <= this.clock.now()) {
        this.waiting.delete(keyOf(key))
        if (this.isMissing(key)) this.schedule(key, before.attempt + 1)
      }
    }
    if (!this.timer && this.waiting.size > 0) this.wakeAt(Math.min(...[...this.waiting.values()].map(({ at }) => at)))
  }

  readonly stop: MissingPayloads['stop'] = () => {
    this.timer?.cancel()
    this.timer = undefined
  }
}

export function createMissingPayloads(store: Store, clock: Clock, onDue: () => void): MissingPayloads {
  return new AwaitedPayloads(store, clock, onDue)
}
