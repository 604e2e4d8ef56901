import type { Host, HostAccount } from '../../evm/host.ts'
import { type Hash32, keyOf } from '../../primitives/bytes.ts'
import type { StateChanges } from '../../types/stateChanges.ts'

/** The state within a block, which moves on with its transactions. */
export interface MovingState extends Host {
  advance(changes: StateChanges): void
}

/** Code that was read is kept for so many contracts. */
const maxCodes = 64
const noBytes = new Uint8Array(0)
const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)

/** Stands on the base, until it moves on; from then on it keeps what it reads, as its mover asks again. */
export function createMovingState(base: Host): MovingState {
  const accounts = new Map<string, HostAccount | undefined>()
  const slots = new Map<string, Map<string, Uint8Array>>()
  const wiped = new Set<string>()
  const codes = new Map<string, Uint8Array>()
  const readCodes = new Map<string, Uint8Array>()
  let hasMoved = false

  function account(address: Parameters<Host['account']>[0]): HostAccount | undefined {
    if (!hasMoved) return base.account(address)
    const key = keyOf(address)
    let known = accounts.get(key)
    if (known || accounts.has(key)) return known
    known = base.account(address)
    accounts.set(key, known && { ...known, codeHash: known.codeHash.slice() as Hash32 })
    return known
  }

  function slotsOf(key: string): Map<string, Uint8Array> {
    let known = slots.get(key)
    if (!known) slots.set(key, (known = new Map()))
    return known
  }

  return {
    account,
    storage(address, slot) {
      if (!hasMoved) return base.storage(address, slot)
      const key = keyOf(address)
      const known = slotsOf(key)
      const slotKey = keyOf(slot)
      let value = known.get(slotKey)
      if (!value) known.set(slotKey, (value = wiped.has(key) ? noBytes : base.storage(address, slot).slice()))
      return value
    },
    code(hash) {
      const key = keyOf(hash)
      let code = codes.get(key) ?? readCodes.get(key)
      if (code) return code
      code = base.code(hash).slice()
      if (readCodes.size < maxCodes) readCodes.set(key, code)
      return code
    },
    blockHash: base.blockHash,
    advance(changes) {
      hasMoved ||= changes.accounts.length > 0
      for (const change of changes.accounts) {
        const key = keyOf(change.address)
        const hadStorage = !change.wiped && (account(change.address)?.hasStorage ?? false)
        if (change.wiped) {
          wiped.add(key)
          slots.delete(key)
        }
        const known = slotsOf(key)
        for (const { slot, value } of change.slots) known.set(keyOf(slot), value)
        const hasStorage = hadStorage || change.slots.some(({ value }) => !isZero(value))
        accounts.set(key, change.account && { ...change.account, hasStorage })
      }
      for (const { hash, code } of changes.codes) codes.set(keyOf(hash), code)
    },
  }
}
