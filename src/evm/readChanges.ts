import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { emptyCodeHash } from '../primitives/keccak.ts'
import type { AccountChange, SlotChange, StateChanges } from '../types/stateChanges.ts'
import * as layout from './assembly/layout.ts'
import type { EvmModule } from './evmModule.ts'
import type { LinearMemory } from './linearMemory.ts'

/** Everything in the engine's world that differs from the host. */
export function readChanges(wasm: EvmModule, memory: LinearMemory): StateChanges {
  const accounts: AccountChange[] = []
  const codes = new Map<number, { hash: Hash32; code: Uint8Array }>()
  const count = wasm.dirtyAccounts()
  for (let i = 0; i < count; i++) {
    const at = wasm.dirtyAccount(i)
    const change = readAccount(wasm, memory, at)
    if (!change) continue
    accounts.push(change)
    const { account } = change
    if (!account || !wasm.codeDiffers(at) || equalBytes(account.codeHash, emptyCodeHash)) continue
    const entry = memory.u32(at + layout.A_CODE)
    const code = memory.slice(entry + layout.C_BYTES, memory.u32(entry + layout.C_LENGTH))
    codes.set(entry, { hash: account.codeHash, code })
  }
  return { accounts, codes: [...codes.values()] }
}

function readAccount(wasm: EvmModule, memory: LinearMemory, at: number): AccountChange | undefined {
  const wiped = (memory.u32(at + layout.A_MARKS) & layout.MARK_WIPED) !== 0
  const slots = readSlots(wasm, memory, at)
  if (!wiped && slots.length === 0 && !wasm.accountDiffers(at)) return undefined
  const exists = (memory.u32(at + layout.A_FLAGS) & layout.ACCOUNT_EXISTS) !== 0
  const account = exists
    ? {
        nonce: memory.u64(at + layout.A_NONCE),
        balance: memory.word(at + layout.A_BALANCE),
        codeHash: memory.hash(at + layout.A_CODE_HASH),
      }
    : undefined
  return { address: memory.address(at), account, wiped, slots }
}

function readSlots(wasm: EvmModule, memory: LinearMemory, account: number): SlotChange[] {
  const slots: SlotChange[] = []
  let at = wasm.differingSlot(account, memory.u32(account + layout.A_DIRTY_SLOTS))
  while (at !== 0) {
    slots.push({ slot: memory.wordBytes(at) as Hash32, value: memory.wordBytes(at + layout.L_VALUE) })
    at = wasm.differingSlot(account, memory.u32(at + layout.L_NEXT_DIRTY))
  }
  return slots
}
