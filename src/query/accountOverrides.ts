import type { Evm } from '../evm/evm.ts'
import type { Host } from '../evm/host.ts'
import { type Address, emptyBytes, type Hash32, keyOf } from '../primitives/bytes.ts'

/** What a call takes to be different about an account. */
export interface AccountOverride {
  readonly address: Address
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
  /** All of its storage; what is not named is zero. */
  readonly state: readonly SlotOverride[] | undefined
  /** Single slots; the others stay. */
  readonly stateDiff: readonly SlotOverride[] | undefined
  /** The address at which the precompiled contract of this account is found instead. */
  readonly movePrecompileTo: Address | undefined
}

/** What a call takes a storage slot to be. */
export interface SlotOverride {
  readonly slot: Hash32
  readonly value: Uint8Array
}

/** The state with the storage of some accounts empty: overrides of a whole storage start from there. */
export function withoutStorage<T extends Pick<Host, 'storage'>>(state: T, overrides: readonly AccountOverride[]): T {
  const emptied = new Set(overrides.filter((one) => one.state).map((one) => keyOf(one.address)))
  if (emptied.size === 0) return state
  return {
    ...state,
    storage: (address: Address, slot: Hash32) =>
      emptied.has(keyOf(address)) ? emptyBytes : state.storage(address, slot),
  }
}

/** Writes the overrides into the interpreter's state. The caller empties storage that is replaced as a whole. */
export function applyOverrides(evm: Evm, overrides: readonly AccountOverride[]): void {
  for (const { address, balance, nonce, code, state, stateDiff } of overrides) {
    if (balance !== undefined) {
      const have = evm.balance(address)
      if (balance > have) evm.addBalance(address, balance - have)
      else evm.subBalance(address, have - balance)
    }
    if (nonce !== undefined) evm.setNonce(address, nonce)
    if (code) evm.setCode(address, code)
    for (const { slot, value } of state ?? stateDiff ?? []) evm.setStorage(address, slot, value)
  }
}
