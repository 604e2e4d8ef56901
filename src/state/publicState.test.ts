import { expect, test } from 'vitest'
import { withTempStore } from '../../test/support/tempStore.ts'
import type { Address } from '../primitives/bytes.ts'
import { emptyCodeHash } from '../primitives/keccak.ts'
import { bigIntToFixed } from '../primitives/u256.ts'
import { meta } from '../store/schema.ts'
import type { Reader } from '../store/table.ts'
import type { StateChanges } from '../types/stateChanges.ts'
import { createPublicState } from './publicState.ts'

const address = bigIntToFixed(7n, 20) as Address

const balanceOf = (balance: bigint): StateChanges => ({
  accounts: [{ address, account: { nonce: 0n, balance, codeHash: emptyCodeHash }, wiped: false, slots: [] }],
  codes: [],
})

test('the views of one reader look up once where the state lies', () =>
  withTempStore((store) => {
    const states = createPublicState(store)
    store.write((txn) => states.commit(txn, 0, balanceOf(1n)))
    store.write((txn) => states.commit(txn, 1, balanceOf(2n)))
    store.read((reader) => {
      let lookUps = 0
      const counting: Reader = {
        ...reader,
        peek(table, key) {
          if ((table as unknown) === meta) lookUps++
          return reader.peek(table, key)
        },
      }
      const stateAfter = states.views(counting)
      for (let i = 0; i < 10; i++) {
        expect(stateAfter('latest').account(address)?.balance).toBe(2n)
        expect(stateAfter(0).account(address)?.balance).toBe(1n)
      }
      expect(lookUps).toBe(1)
    })
  }))

test('the views of a snapshot stay with its state when another one takes its place', () =>
  withTempStore((store) => {
    const states = createPublicState(store)
    store.write((txn) => states.commit(txn, 0, balanceOf(1n)))
    store.write((txn) => states.spare(txn).commit(txn, 0, balanceOf(2n)))
    const before = store.openSnapshot()
    const stateBefore = states.views(before)
    store.write(states.exchange)
    expect(stateBefore('latest').account(address)?.balance).toBe(1n)
    expect(stateBefore(0).account(address)?.balance).toBe(1n)
    before.close()
    store.read((reader) => expect(states.views(reader)('latest').account(address)?.balance).toBe(2n))
  }))
