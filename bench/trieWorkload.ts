import type { Address, Hash32 } from '../src/primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../src/primitives/keccak.ts'
import { toWord } from '../src/primitives/u256.ts'
import type { AccountChange, StateChanges } from '../src/types/stateChanges.ts'

/** How large the state is and how much of it a block changes. */
export interface TrieWorkload {
  readonly accounts: number
  /** The first of the accounts, each with `slots` slots. */
  readonly contracts: number
  readonly slots: number
  readonly blocks: number
  readonly changedAccounts: number
  readonly changedContracts: number
  readonly changedSlots: number
}

const ether = 10n ** 18n
const loadChunk = 50_000

/** Drawn in the same way by bench/peers/trie-geth, so that both do the same work and end at the same root. */
function createRandom() {
  let x = 0x9e3779b9
  function below(limit: number): number {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    x >>>= 0
    return x % limit
  }
  function distinct(count: number, from: number, to: number): number[] {
    const picked = new Set<number>()
    while (picked.size < count) picked.add(from + below(to - from))
    return [...picked]
  }
  return { below, distinct }
}

function words(...numbers: readonly number[]): Uint8Array {
  const out = new DataView(new ArrayBuffer(8 * numbers.length))
  numbers.forEach((n, i) => {
    out.setBigUint64(8 * i, BigInt(n))
  })
  return new Uint8Array(out.buffer)
}

export function addressOf(i: number): Address {
  return keccak256(words(i)).slice(12) as Uint8Array as Address
}

function slotOf(j: number): Hash32 {
  return toWord(BigInt(j)) as Hash32
}

/** The state before the first measured block, in parts. */
export function* loadedState({ accounts, contracts, slots }: TrieWorkload): Iterable<StateChanges> {
  for (let from = 0; from < accounts; from += loadChunk) {
    const part: AccountChange[] = []
    for (let i = from; i < Math.min(from + loadChunk, accounts); i++) {
      const isContract = i < contracts
      part.push({
        address: addressOf(i),
        account: {
          nonce: 1n,
          balance: ether + BigInt(i),
          codeHash: isContract ? keccak256(words(i)) : emptyCodeHash,
        },
        wiped: false,
        slots: isContract
          ? Array.from({ length: slots }, (_, j) => ({ slot: slotOf(j), value: toWord(BigInt(i * slots + j + 1)) }))
          : [],
      })
    }
    yield { accounts: part, codes: [] }
  }
}

/** The measured blocks. */
export function* changedBlocks(workload: TrieWorkload): Iterable<StateChanges> {
  const { accounts, contracts, slots, blocks, changedAccounts, changedContracts, changedSlots } = workload
  const random = createRandom()
  for (let b = 1; b <= blocks; b++) {
    const changes: AccountChange[] = []
    for (const i of random.distinct(changedContracts, 0, contracts)) {
      const written = random.distinct(changedSlots / changedContracts, 0, slots + Math.floor(slots / 10)).map((j) => ({
        slot: slotOf(j),
        value: random.below(20) === 0 ? toWord(0n) : keccak256(words(b, i, j)),
      }))
      const account = { nonce: BigInt(b + 1), balance: ether + BigInt(i), codeHash: keccak256(words(i)) }
      changes.push({ address: addressOf(i), account, wiped: false, slots: written })
    }
    const others = random.distinct(changedAccounts - changedContracts, contracts, accounts + Math.floor(accounts / 100))
    for (const i of others) {
      const account = { nonce: BigInt(b + 1), balance: ether + BigInt(random.below(1 << 30)), codeHash: emptyCodeHash }
      changes.push({ address: addressOf(i), account, wiped: false, slots: [] })
    }
    yield { accounts: changes, codes: [] }
  }
}
