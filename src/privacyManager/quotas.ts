import { keyOf } from '../primitives/bytes.ts'
import { refusals } from './fault.ts'
import type { ManagerStore, ManagerWriter, Usage } from './managerStore.ts'

/** How much others may store here. */
export interface Quotas {
  /** Reserves room for what somebody has pushed, or refuses it; undefined is somebody whom nobody knows. */
  reserve(sender: Uint8Array | undefined, bytes: number): Reservation
}

export interface Reservation {
  /** Notes what is stored, in the transaction that stores it. */
  write(writer: ManagerWriter): void
  /** Gives the room back: nothing was stored. */
  release(): void
}

export interface QuotasPorts {
  readonly store: Pick<ManagerStore, 'usage'>
  /** Whether nothing that a key stores is counted: one's own, and those that the operator has named. */
  isTrusted(key: Uint8Array): boolean
  /** Whether a manager has proved a key. */
  isProven(key: Uint8Array): boolean
}

/** What one sender may store whose manager has proved its key. */
const maxOfSender = { count: 1_000_000, bytes: 1 << 30 }
/** What all others may store, together. */
const maxOfStrangers = { count: 1000, bytes: 16 << 20 }

const nobody = new Uint8Array(32)
const nothing: Usage = { isProven: false, count: 0, bytes: 0 }
const unlimited: Reservation = { write() {}, release() {} }

export function createQuotas({ store, isTrusted, isProven }: QuotasPorts): Quotas {
  const used = new Map(store.usage().map(([key, usage]) => [keyOf(key), usage]))
  const strangers = [...used.values()].filter((one) => !one.isProven)
  let ofStrangers = {
    count: strangers.reduce((sum, { count }) => sum + count, 0),
    bytes: strangers.reduce((sum, { bytes }) => sum + bytes, 0),
  }

  function add(sender: Uint8Array, count: number, bytes: number): Usage {
    const before = used.get(keyOf(sender)) ?? nothing
    const after = { ...before, count: before.count + count, bytes: before.bytes + bytes }
    used.set(keyOf(sender), after)
    if (!after.isProven) ofStrangers = { count: ofStrangers.count + count, bytes: ofStrangers.bytes + bytes }
    return after
  }

  /** What a sender has stored before its manager proved the key counts as its own from then on. */
  function promote(sender: Uint8Array): void {
    const before = used.get(keyOf(sender)) ?? nothing
    if (before.isProven || !isProven(sender)) return
    add(sender, -before.count, -before.bytes)
    used.set(keyOf(sender), { ...before, isProven: true })
  }

  return {
    reserve(known, bytes) {
      if (known && isTrusted(known)) return unlimited
      const sender = known ?? nobody
      promote(sender)
      const own = used.get(keyOf(sender)) ?? nothing
      const [have, max] = own.isProven ? [own, maxOfSender] : [ofStrangers, maxOfStrangers]
      if (have.count + 1 > max.count || have.bytes + bytes > max.bytes) throw refusals.tooMuch()
      add(sender, 1, bytes)
      return {
        write: (writer) => writer.putUsage(sender, used.get(keyOf(sender))!),
        release: () => void add(sender, -1, -bytes),
      }
    },
  }
}
