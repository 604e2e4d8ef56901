import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { emptyCodeHash } from '../primitives/keccak.ts'
import type { AccountChange, SlotChange, StateChanges } from '../types/stateChanges.ts'
import * as layout from './assembly/layout.ts'
import type { EngineModule } from './engineModule.ts'
import type { LinearMemory } from './linearMemory.ts'

/** Everything in the engine's world that differs from the host. */
export function readChanges(engine: EngineModule, memory: LinearMemory): StateChanges {
  const accounts: AccountChange[] = []
  const codes = new Map<number, { hash: Hash32; code: Uint8Array }>()
  const count = engine.dirtyAccounts()
  for (let i = 0; i < count; i++) {
    const at = engine.dirtyAccount(i)
    const change = readAccount(memory, at)
    if (!change) continue
    accounts.push(change)
    const { account } = change
    if (!account || equalBytes(account.codeHash, emptyCodeHash)) continue
    if (sameBytes(memory, at + layout.A_CODE_HASH, at + layout.A_HOST_CODE_HASH, 32)) continue
    const entry = memory.u32(at + layout.A_CODE)
    const code = memory.slice(entry + layout.C_BYTES, memory.u32(entry + layout.C_LENGTH))
    codes.set(entry, { hash: account.codeHash, code })
  }
  return { accounts, codes: [...codes.values()] }
}

function readAccount(memory: LinearMemory, at: number): AccountChange | undefined {
  const marks = memory.u32(at + layout.A_MARKS)
  const exists = (memory.u32(at + layout.A_FLAGS) & layout.ACCOUNT_EXISTS) !== 0
  const existed = (marks & layout.MARK_HOST_EXISTS) !== 0
  const wiped = (marks & layout.MARK_WIPED) !== 0
  const slots = readSlots(memory, at)
  const same =
    exists === existed &&
    sameBytes(memory, at + layout.A_NONCE, at + layout.A_HOST_NONCE, 8) &&
    sameBytes(memory, at + layout.A_BALANCE, at + layout.A_HOST_BALANCE, 32) &&
    sameBytes(memory, at + layout.A_CODE_HASH, at + layout.A_HOST_CODE_HASH, 32)
  if (same && !wiped && slots.length === 0) return undefined
  const account = exists
    ? {
        nonce: memory.u64(at + layout.A_NONCE),
        balance: memory.word(at + layout.A_BALANCE),
        codeHash: memory.hash(at + layout.A_CODE_HASH),
      }
    : undefined
  return { address: memory.address(at), account, wiped, slots }
}

function readSlots(memory: LinearMemory, account: number): SlotChange[] {
  const slots: SlotChange[] = []
  const epoch = memory.u32(account + layout.A_EPOCH)
  let at = memory.u32(account + layout.A_DIRTY_SLOTS)
  for (; at !== 0; at = memory.u32(at + layout.L_NEXT_DIRTY)) {
    // Slots of an earlier epoch went with all the others.
    if (memory.u32(at + layout.L_EPOCH) !== epoch) continue
    if (sameBytes(memory, at + layout.L_VALUE, at + layout.L_HOST_VALUE, 32)) continue
    slots.push({ slot: memory.wordBytes(at) as Hash32, value: memory.wordBytes(at + layout.L_VALUE) })
  }
  return slots
}

function sameBytes(memory: LinearMemory, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length; i += 8) if (memory.u64(a + i) !== memory.u64(b + i)) return false
  return true
}
