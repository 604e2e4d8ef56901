import { expect, test } from 'vitest'
import type { Host } from '../../evm/host.ts'
import { type Address, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { toWord } from '../../primitives/u256.ts'
import { createMovingState } from './movingState.ts'

const alice = new Uint8Array(20).fill(1) as Address
const bob = new Uint8Array(20).fill(2) as Address
const slot = (n: bigint) => toWord(n) as Hash32
const codeHash = new Uint8Array(32).fill(9) as Hash32
const account = { nonce: 1n, balance: 5n, codeHash }

/** Alice has a slot of each number, which holds that number; nobody else is there. */
const base: Host = {
  account: (address) => (keyOf(address) === keyOf(alice) ? { ...account, hasStorage: true } : undefined),
  storage: (_, key) => key,
  code: () => Uint8Array.of(1),
  blockHash: () => undefined,
}

test('is the base until it moves on', () => {
  const state = createMovingState(base)
  expect(state.account(alice)).toEqual({ ...account, hasStorage: true })
  expect(state.account(bob)).toBeUndefined()
  expect(state.storage(alice, slot(7n))).toEqual(slot(7n))
})

test('what changed covers the base, the rest stays', () => {
  const state = createMovingState(base)
  const changed = { ...account, balance: 6n }
  state.advance({
    accounts: [{ address: alice, account: changed, wiped: false, slots: [{ slot: slot(7n), value: slot(8n) }] }],
    codes: [{ hash: codeHash, code: Uint8Array.of(2) }],
  })
  expect(state.account(alice)).toEqual({ ...changed, hasStorage: true })
  expect(state.account(bob)).toBeUndefined()
  expect(state.storage(alice, slot(7n))).toEqual(slot(8n))
  expect(state.storage(alice, slot(9n))).toEqual(slot(9n))
  expect(state.code(codeHash)).toEqual(Uint8Array.of(2))
})

test('an account that went has no slots, also when it comes back', () => {
  const state = createMovingState(base)
  const write = { slot: slot(1n), value: slot(3n) }
  state.advance({ accounts: [{ address: alice, account, wiped: false, slots: [write] }], codes: [] })
  state.advance({ accounts: [{ address: alice, account: undefined, wiped: true, slots: [] }], codes: [] })
  expect(state.account(alice)).toBeUndefined()
  state.advance({ accounts: [{ address: alice, account, wiped: false, slots: [] }], codes: [] })
  expect(state.account(alice)).toEqual({ ...account, hasStorage: false })
  expect(state.storage(alice, slot(1n))).toHaveLength(0)
  expect(state.storage(alice, slot(7n))).toHaveLength(0)
})
