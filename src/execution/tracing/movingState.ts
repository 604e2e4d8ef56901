import type { Host, HostAccount } from '../../evm/host.ts'
import { keyOf } from '../../primitives/bytes.ts'
import type { StateChanges } from '../../types/stateChanges.ts'

/** The state within a block, which moves on with its transactions. */
export interface MovingState extends Host {
  advance(changes: StateChanges): void
}

const noBytes = new Uint8Array(0)
const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)

/** Stands on the base, until it moves on. */
export function createMovingState(base: Host): MovingState {
  const accounts = new Map<string, HostAccount | undefined>()
  const slots = new Map<string, Map<string, Uint8Array>>()
  const wiped = new Set<string>()
  const codes = new Map<string, Uint8Array>()

  function account(address: Parameters<Host['account']>[0]): HostAccount | undefined {
    // To make a key costs as much as to look into the base.
    if (accounts.size === 0) return base.account(address)
    const key = keyOf(address)
    return accounts.get(key) ?? (accounts.has(key) ? undefined : base.account(address))
  }

  return {
    account,
    storage(address, slot) {
      if (accounts.size === 0) return base.storage(address, slot)
      const key = keyOf(address)
      return slots.get(key)?.get(keyOf(slot)) ?? (wiped.has(key) ? noBytes : base.storage(address, slot))
    },
    code: (hash) => codes.get(keyOf(hash)) ?? base.code(hash),
    blockHash: base.blockHash,
    advance(changes) {
      for (const change of changes.accounts) {
        const key = keyOf(change.address)
        const hadStorage = !change.wiped && (account(change.address)?.hasStorage ?? false)
        if (change.wiped) {
          wiped.add(key)
          slots.delete(key)
        }
        const written = slots.get(key) ?? new Map<string, Uint8Array>()
        for (const { slot, value } of change.slots) written.set(keyOf(slot), value)
        slots.set(key, written)
        const hasStorage = hadStorage || change.slots.some(({ value }) => !isZero(value))
        accounts.set(key, change.account && { ...change.account, hasStorage })
      }
      for (const { hash, code } of changes.codes) codes.set(keyOf(hash), code)
    },
  }
}
