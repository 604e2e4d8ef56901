import { type Address, type Hash32, keyOf, padLeft } from '../../primitives/bytes.ts'
import { emptyCodeHash } from '../../primitives/keccak.ts'
import type { AccountChange, StateChanges } from '../../types/stateChanges.ts'

/** An account without its storage. */
export interface PlainAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash32
}

/** The state that a block started from, as far as traces ask for it. */
export interface BaseState {
  account(address: Address): PlainAccount | undefined
  storage(address: Address, slot: Hash32): Uint8Array
  code(hash: Hash32): Uint8Array
}

/** A state at one moment within a block. */
export interface StateOverlay {
  account(address: Address): PlainAccount | undefined
  /** 32 bytes, big-endian. */
  storage(address: Address, slot: Hash32): Uint8Array
  code(account: PlainAccount | undefined): Uint8Array
  /** Accounts that differ from the base. */
  readonly changed: readonly AccountChange[]
}

const noCode = new Uint8Array(0)

/** The base with the changes on top. */
export function createStateOverlay(base: BaseState, { accounts, codes }: StateChanges): StateOverlay {
  const changes = new Map(accounts.map((change) => [keyOf(change.address), change]))
  const slots = new Map<string, Map<string, Uint8Array>>()
  for (const [key, change] of changes)
    slots.set(key, new Map(change.slots.map(({ slot, value }) => [keyOf(slot), value])))
  const newCodes = new Map(codes.map(({ hash, code }) => [keyOf(hash), code]))
  return {
    changed: accounts,
    account(address) {
      const change = changes.get(keyOf(address))
      return change ? change.account : base.account(address)
    },
    storage(address, slot) {
      const key = keyOf(address)
      const value = slots.get(key)?.get(keyOf(slot))
      if (value) return value
      return padLeft(changes.get(key)?.wiped ? noCode : base.storage(address, slot), 32)
    },
    code(account) {
      if (!account || keyOf(account.codeHash) === keyOf(emptyCodeHash)) return noCode
      return newCodes.get(keyOf(account.codeHash)) ?? base.code(account.codeHash)
    },
  }
}
