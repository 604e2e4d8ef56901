import { type Address, bytesOfKey, type Hash32, keyOf, trimZeros } from '../../src/primitives/bytes.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp } from '../../src/primitives/rlp.ts'
import { type Account, emptyTrieRoot, encodeAccount } from '../../src/types/account.ts'
import type { StateChanges } from '../../src/types/stateChanges.ts'
import { naiveRoot } from './naiveTrie.ts'

/** An account of the model with its slots (by `keyOf` of the slot), none of them zero. */
export interface ModelAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash32
  readonly slots: ReadonlyMap<string, Uint8Array>
}

/** A whole state in memory, by `keyOf` of the address. */
export type ModelState = ReadonlyMap<string, ModelAccount>

export function applyToModel(state: ModelState, changes: StateChanges): ModelState {
  const next = new Map(state)
  for (const { address, account, wiped, slots } of changes.accounts) {
    const key = keyOf(address)
    if (account === undefined) {
      next.delete(key)
      continue
    }
    const kept = new Map(wiped ? [] : next.get(key)?.slots)
    for (const { slot, value } of slots) {
      if (value.every((byte) => byte === 0)) kept.delete(keyOf(slot))
      else kept.set(keyOf(slot), trimZeros(value))
    }
    next.set(key, { ...account, slots: kept })
  }
  return next
}

export function modelAccount({ nonce, balance, codeHash, slots }: ModelAccount): Account {
  const leaves = [...slots].map(([slot, value]) => [keccak256(bytesOfKey(slot)), encodeRlp(value)] as const)
  return { nonce, balance, codeHash, storageRoot: leaves.length === 0 ? emptyTrieRoot : naiveRoot(leaves) }
}

export function modelRoot(state: ModelState): Hash32 {
  if (state.size === 0) return emptyTrieRoot
  return naiveRoot(
    [...state].map(([address, account]) => [keccak256(bytesOfKey(address)), encodeAccount(modelAccount(account))]),
  )
}

/** Addresses and slots that random tests draw from. */
export const sampleAddresses = Array.from({ length: 8 }, (_, i) => new Uint8Array(20).fill(i + 1) as Address)
export const sampleSlots = Array.from({ length: 8 }, (_, i) => {
  const slot = new Uint8Array(32)
  slot[i % 2 ? 31 : 0] = i
  return slot as Hash32
})
