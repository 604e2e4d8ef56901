import type { Host } from '../../evm/host.ts'
import { emptyBytes, keyOf } from '../../primitives/bytes.ts'
import type { AccountChange, StateChanges } from '../../types/stateChanges.ts'

/** A state with changes that are not written yet: those of the transactions of a group that came before in a block. */
export interface PendingState extends Host {
  add(changes: StateChanges): void
  /** All that was added, as one. */
  changes(): StateChanges
  /** All that was added and further changes, as one. */
  with(changes: StateChanges): StateChanges
}

interface Pending {
  readonly latest: AccountChange
  readonly slots: ReadonlyMap<string, AccountChange['slots'][number]>
}

export function createPendingState(base: Host): PendingState {
  const accounts = new Map<string, Pending>()
  const codes = new Map<string, StateChanges['codes'][number]>()

  function join(before: Pending | undefined, change: AccountChange): Pending {
    const fresh = change.wiped || change.account === undefined
    const slots = new Map(fresh ? [] : before?.slots)
    for (const slot of change.slots) slots.set(keyOf(slot.slot), slot)
    return { latest: { ...change, wiped: fresh || (before?.latest.wiped ?? false) }, slots }
  }

  function add(changes: StateChanges): void {
    for (const change of changes.accounts) {
      const key = keyOf(change.address)
      accounts.set(key, join(accounts.get(key), change))
    }
    for (const code of changes.codes) codes.set(keyOf(code.hash), code)
  }

  const changes = (): StateChanges => ({
    accounts: [...accounts.values()].map(({ latest, slots }) => ({ ...latest, slots: [...slots.values()] })),
    codes: [...codes.values()],
  })

  return {
    account(address) {
      const pending = accounts.get(keyOf(address))
      if (!pending) return base.account(address)
      const { latest, slots } = pending
      if (!latest.account) return undefined
      const written = [...slots.values()].some(({ value }) => value.some((byte) => byte !== 0))
      const hasStorage = written || (!latest.wiped && (base.account(address)?.hasStorage ?? false))
      return { ...latest.account, hasStorage }
    },
    storage(address, slot) {
      const pending = accounts.get(keyOf(address))
      const written = pending?.slots.get(keyOf(slot))
      if (written) return written.value
      return pending?.latest.wiped ? emptyBytes : base.storage(address, slot)
    },
    code: (hash) => codes.get(keyOf(hash))?.code ?? base.code(hash),
    blockHash: base.blockHash,
    add,
    changes,
    with(further) {
      if (accounts.size === 0 && codes.size === 0) return further
      const sum = createPendingState(base)
      sum.add(changes())
      sum.add(further)
      return sum.changes()
    },
  }
}
