import type { Address, Hash32 } from '../../../src/primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../../../src/primitives/keccak.ts'
import { toWord } from '../../../src/primitives/u256.ts'
import type { AccountChange, StateChanges } from '../../../src/types/stateChanges.ts'

/** Account `i` is written in the blocks b with b ≡ i (mod `cycle`), each time with the block's number as its nonce. */
export const cycle = 5
export const accountCount = 500

export function addressOf(i: number): Address {
  return keccak256(Uint8Array.of(i >> 8, i)).slice(12) as Uint8Array as Address
}

export const slot = toWord(7n) as Hash32

/** What every run writes as block `block`. */
export function changesOf(block: number): StateChanges {
  const accounts: AccountChange[] = []
  for (let i = block % cycle; i < accountCount; i += cycle)
    accounts.push({
      address: addressOf(i),
      account: { nonce: BigInt(block), balance: BigInt(i), codeHash: emptyCodeHash },
      wiped: false,
      slots: [
        { slot, value: toWord(BigInt(block)) },
        { slot: toWord(BigInt(block % 3)) as Hash32, value: toWord(block % 2 ? BigInt(block) : 0n) },
      ],
    })
  return { accounts, codes: [] }
}

/** The nonce that account `i` has after `block`, undefined before its first. */
export function nonceAt(i: number, block: number): bigint | undefined {
  const last = block - ((((block - i) % cycle) + cycle) % cycle)
  return last > 0 ? BigInt(last) : undefined
}
