import { expect, test } from 'vitest'
import { withTempStore } from '../../../test/support/tempStore.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../../primitives/keccak.ts'
import { publicState } from '../../store/schema.ts'
import { createStateStore } from '../stateStore.ts'
import { verifyState } from './verifyState.ts'

/** Addresses whose places in the trie begin with a nibble. */
function addressesBelow(nibble: number, count: number): Address[] {
  const found: Address[] = []
  for (let i = 1; found.length < count; i++) {
    const address = new Uint8Array(20) as Address
    address[18] = i >> 8
    address[19] = i
    if (keccak256(address)[0]! >> 4 === nibble) found.push(address)
  }
  return found
}

const change = (address: Address, balance: number) => ({
  address,
  account: { nonce: 0n, balance: BigInt(balance), codeHash: emptyCodeHash },
  wiped: false,
  slots: [],
})

// The key of the root node is the beginning of the key of the node below its first child, and both have long histories.
test('branch nodes at old blocks, where one key is the beginning of another', () =>
  withTempStore((store) => {
    const state = createStateStore(store)
    const [often, once] = addressesBelow(0, 2) as [Address, Address]
    const [other] = addressesBelow(5, 1) as [Address]
    const roots: Hash32[] = []
    for (let block = 0; block < 600; block++) {
      const accounts = [change(often, block + 1), change(other, block + 2), ...(block === 0 ? [change(once, 1)] : [])]
      roots.push(store.write((txn) => state.commit(txn, block, { accounts, codes: [] })))
    }
    const faults: string[] = []
    const report = { fault: (table: string, text: string) => void faults.push(`${table}: ${text}`), progress: () => {} }
    const check = () => store.read((reader) => verifyState(reader, { rootOf: (block) => roots[block] }, report))
    check()
    expect(faults).toEqual([])
    store.write((txn) => state.unwind(txn, 100))
    check()
    expect(faults).toEqual([])
  }))

test('the root of the slots in an old account', () =>
  withTempStore((store) => {
    const state = createStateStore(store)
    const [address] = addressesBelow(0, 1) as [Address]
    const roots: Hash32[] = []
    for (let block = 0; block < 3; block++) {
      const slots = [{ slot: new Uint8Array(32) as Hash32, value: Uint8Array.of(block + 1) }]
      const accounts = [{ ...change(address, block + 1), slots }]
      roots.push(store.write((txn) => state.commit(txn, block, { accounts, codes: [] })))
    }
    const faults: string[] = []
    const report = { fault: (table: string, text: string) => void faults.push(`${table}: ${text}`), progress: () => {} }
    const check = () => store.read((reader) => verifyState(reader, { rootOf: (block) => roots[block] }, report))
    check()
    expect(faults).toEqual([])
    store.write((txn) => {
      const [key, row] = [...txn.range(publicState.accountHistory, {})].at(-1)!
      const damaged = row.slice()
      damaged[10]! ^= 1
      txn.put(publicState.accountHistory, key, damaged)
    })
    check()
    expect(faults).toEqual(['public.accountHistory: an account before block 2 does not fit its slots'])
  }))
