import { emptyBytes, type Hash32 } from '../primitives/bytes.ts'
import { meta, publicState, publicState2 } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Reader, Table, Transaction } from '../store/table.ts'
import type { StateDraft } from './stateDraft.ts'
import { createStateStore, type StateStore } from './stateStore.ts'
import { createStoredDraft, forgetProgress } from './storedDraft.ts'

/** The chain's own state, and a spare one that can be built beside it and then replace it. */
export interface PublicState extends StateStore {
  /** The spare state, which nobody else reads. */
  spare(reader: Reader): StateStore
  /** Removes some rows of the spare state; returns true when it is empty. */
  clearSpare(txn: Transaction): boolean
  /** Exchanges the two states. Open views are not affected. */
  exchange(txn: Transaction): void
  /** A state that is downloaded into the tables of the spare one, which has to be empty where no download has begun. */
  draft(): StateDraft
  /** Puts a complete draft in place of the state, as that after a block; the states before it are not there. */
  adopt(txn: Transaction, block: number, root: Hash32): void
}

const placeKey = 'state'
/** Rows that are removed at once. */
const clearBatch = 5000

/** The state is in one of two sets of tables; each snapshot says in which. */
export function createPublicState(store: Store): PublicState {
  const sets = [publicState, publicState2] as const
  const states = [
    createStateStore(store, emptyBytes, publicState),
    createStateStore(store, emptyBytes, publicState2),
  ] as const
  const place = (reader: Reader): 0 | 1 => (reader.peek(meta, placeKey)?.[0] === 1 ? 1 : 0)
  const current = (reader: Reader): StateStore => states[place(reader)]
  const sparePlace = (reader: Reader): 0 | 1 => (place(reader) === 0 ? 1 : 0)

  return {
    head: (reader, upTo) => current(reader).head(reader, upTo),
    at: (reader, at) => current(reader).at(reader, at),
    views: (reader) => current(reader).views(reader),
    blockOf: (reader, root, depth) => current(reader).blockOf(reader, root, depth),
    tries: (reader, at) => current(reader).tries(reader, at),
    rootOf: (reader, changes) => current(reader).rootOf(reader, changes),
    rootInSteps: (reader, changes) => current(reader).rootInSteps(reader, changes),
    rootOfFresh: (changes) => states[0].rootOfFresh(changes),
    commit: (txn, block, changes) => current(txn).commit(txn, block, changes),
    begin: (txn, block, root) => current(txn).begin(txn, block, root),
    unwind: (txn, toBlock) => current(txn).unwind(txn, toBlock),
    lowest: (reader) => current(reader).lowest(reader),
    prune: (txn, beforeBlock) => current(txn).prune(txn, beforeBlock),
    spare: (reader) => states[sparePlace(reader)],
    clearSpare(txn) {
      let room = clearBatch
      for (const table of Object.values(sets[sparePlace(txn)])) {
        room -= removeSome(txn, table, room)
        if (room === 0) return false
      }
      return true
    },
    exchange: (txn) => txn.put(meta, placeKey, Uint8Array.of(sparePlace(txn))),
    draft: () => createStoredDraft(store, sets[store.read(sparePlace)]),
    adopt(txn, block, root) {
      const place = sparePlace(txn)
      states[place].begin(txn, block, root)
      forgetProgress(txn)
      txn.put(meta, placeKey, Uint8Array.of(place))
    },
  }
}

function removeSome<K, V>(txn: Transaction, table: Table<K, V>, limit: number): number {
  const rows = [...txn.range(table, { limit })]
  for (const [key] of rows) txn.remove(table, key)
  return rows.length
}
