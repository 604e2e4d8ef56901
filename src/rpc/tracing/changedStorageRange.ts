import { type Address, compareBytes, equalBytes, type Hash32, keyOf, trimZeros } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { Part, RangedSlot, StateView } from '../../state/view.ts'
import type { StateChanges } from '../../types/stateChanges.ts'

/** Slots of an account in the order of their hashes, from `start` on, where `changes` lie on top of a state. */
export function changedStorageRange(
  state: StateView,
  changes: StateChanges,
  owner: Address,
  start: Hash32,
  limit: number,
): Part<RangedSlot> {
  const change = changes.accounts.find(({ address }) => equalBytes(address, owner))
  const ownerHash = keccak256(owner)
  if (!change) return state.storageRange(ownerHash, start, limit)
  if (!change.account) return { entries: [], next: undefined }
  const written = change.slots.map(({ slot, value }) => ({ hash: keccak256(slot), slot, value: trimZeros(value) }))
  const hidden = new Set(written.map(({ hash }) => keyOf(hash)))
  // However many of them the changes hide, enough are left.
  const below = change.wiped ? [] : state.storageRange(ownerHash, start, limit + 1 + written.length).entries
  const merged = [
    ...below.filter(({ hash }) => !hidden.has(keyOf(hash))),
    ...written.filter(({ hash, value }) => value.length > 0 && compareBytes(hash, start) >= 0),
  ].sort((a, b) => compareBytes(a.hash, b.hash))
  return { entries: merged.slice(0, limit), next: merged[limit]?.hash }
}
