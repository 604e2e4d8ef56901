import { type Hash32, keyOf } from '../../primitives/bytes.ts'
import { createStateStore, type StateStore } from '../../state/stateStore.ts'
import { privateGroups } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import { emptyTrieRoot } from '../../types/account.ts'
import type { StateChanges } from '../../types/stateChanges.ts'

/** The private states, one per group; a group that is not known has an empty one. */
export interface GroupStates {
  of(group: Uint8Array): StateStore
  /** The groups that have private state. */
  all(reader: Reader): readonly Uint8Array[]
  /** Whether transactions of the group named its members, so that the manager may not know the group itself. */
  isLegacy(reader: Reader, group: Uint8Array): boolean
  rootAt(reader: Reader, group: Uint8Array, block: number): Hash32
  commit(txn: Transaction, group: Uint8Array, block: number, changes: StateChanges, isLegacy: boolean): void
  /** Undoes the changes of every group after a block. */
  unwind(txn: Transaction, toBlock: number): void
}

const legacyGroup = 1
const createdGroup = 2

export function createGroupStates(store: Store): GroupStates {
  const states = new Map<string, StateStore>()

  function of(group: Uint8Array): StateStore {
    const key = keyOf(group)
    let state = states.get(key)
    if (!state) states.set(key, (state = createStateStore(store, group)))
    return state
  }

  const all = (reader: Reader) => [...reader.range(privateGroups, {})].map(([group]) => group)

  return {
    of,
    all,
    isLegacy: (reader, group) => reader.get(privateGroups, group)?.[0] === legacyGroup,
    rootAt: (reader, group, block) => of(group).head(reader, block)?.root ?? emptyTrieRoot,
    commit(txn, group, block, changes, isLegacy) {
      txn.put(privateGroups, group, Uint8Array.of(isLegacy ? legacyGroup : createdGroup))
      of(group).commit(txn, block, changes)
    },
    unwind(txn, toBlock) {
      for (const group of all(txn)) of(group).unwind(txn, toBlock)
    },
  }
}
