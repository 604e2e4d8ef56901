import { type Address, equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import type { PlainAccount, StateOverlay } from './stateOverlay.ts'

/** A value before and after; undefined where there was, or is, none. */
export interface Difference<T> {
  readonly from: T | undefined
  readonly to: T | undefined
}

/** What became of an account. */
export interface AccountDiff {
  readonly address: Address
  readonly balance: Difference<bigint>
  readonly code: Difference<Uint8Array>
  readonly nonce: Difference<bigint>
  readonly storage: readonly { readonly slot: Hash32; readonly value: Difference<Uint8Array> }[]
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

function slotsThatDiffer(address: Address, before: StateOverlay, after: StateOverlay, slots: Iterable<Hash32>) {
  const isNew = before.account(address) === undefined
  const found: { slot: Hash32; value: Difference<Uint8Array> }[] = []
  for (const slot of slots) {
    const from = isNew ? undefined : before.storage(address, slot)
    const to = after.storage(address, slot)
    if (from ? !equalBytes(from, to) : !isZero(to)) found.push({ slot, value: { from, to } })
  }
  return found
}

function sameAccount(a: PlainAccount, b: PlainAccount): boolean {
  return a.balance === b.balance && a.nonce === b.nonce && equalBytes(a.codeHash, b.codeHash)
}

/** All accounts that differ between two moments of a block, with what differs. */
export function diffStates(before: StateOverlay, after: StateOverlay): AccountDiff[] {
  const slots = new Map<string, Map<string, Hash32>>()
  const addresses = new Map<string, Address>()
  for (const change of [...before.changed, ...after.changed]) {
    const key = keyOf(change.address)
    addresses.set(key, change.address)
    const known = slots.get(key) ?? new Map<string, Hash32>()
    for (const { slot } of change.slots) known.set(keyOf(slot), slot)
    slots.set(key, known)
  }
  const diffs: AccountDiff[] = []
  for (const [key, address] of addresses) {
    const from = before.account(address)
    const to = after.account(address)
    if (!from && !to) continue
    const storage = to ? slotsThatDiffer(address, before, after, slots.get(key)!.values()) : []
    if (from && to && sameAccount(from, to) && storage.length === 0) continue
    diffs.push({
      address,
      balance: { from: from?.balance, to: to?.balance },
      code: { from: from && before.code(from), to: to && after.code(to) },
      nonce: { from: from?.nonce, to: to?.nonce },
      storage,
    })
  }
  return diffs
}
