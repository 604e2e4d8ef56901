import { describe, expect, test } from 'vitest'
import { evmSuite } from '../../test/support/evmSuite.ts'
import {
  addressOf,
  assemble,
  calls,
  contract,
  send,
  sender,
  slotOf,
  type TestAccount,
} from '../../test/support/evmWorld.ts'
import { type Address, equalBytes } from '../primitives/bytes.ts'
import { emptyCodeHash } from '../primitives/keccak.ts'
import { bytesToBigInt, toWord } from '../primitives/u256.ts'

const other = addressOf(0xbeefn)
const nobody = addressOf(0xdeadn)

evmSuite('accounts that go', (world) => {
  describe('by SELFDESTRUCT', () => {
    const code = assemble(`${bytesToBigInt(other)} SELFDESTRUCT`)
    const doomed: [Address, TestAccount] = [contract, { code, balance: 50n, nonce: 1n, storage: { 1: 1n } }]

    test('before Cancun the account goes, with its storage, at the end of the transaction', () => {
      const evm = world([doomed], 'berlin')
      expect(send(evm).halt).toBe('selfdestruct')
      expect(evm.refund()).toBe(24_000n)
      expect(evm.balance(other)).toBe(50n)
      expect(evm.code(contract)).toEqual(code)
      evm.endTx()
      expect(evm.exists(contract)).toBe(false)
      expect(evm.storage(contract, slotOf(1n))).toEqual(toWord(0n))
      const change = evm.changes().accounts.find(({ address }) => equalBytes(address, contract))
      expect(change).toEqual({ address: contract, account: undefined, wiped: true, slots: [] })
    })

    test('an account that comes back has only its new slots', () => {
      const evm = world([doomed], 'berlin')
      send(evm)
      evm.endTx()
      evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
      evm.setStorage(contract, slotOf(2n), toWord(2n))
      evm.addBalance(contract, 1n)
      const change = evm.changes().accounts.find(({ address }) => equalBytes(address, contract))
      expect(change).toEqual({
        address: contract,
        account: { nonce: 0n, balance: 1n, codeHash: emptyCodeHash },
        wiped: true,
        slots: [{ slot: slotOf(2n), value: toWord(2n) }],
      })
    })

    test('since London there is no refund, since Cancun only the balance goes', () => {
      const evm = world([doomed], 'cancun')
      send(evm)
      expect(evm.refund()).toBe(0n)
      evm.endTx()
      expect(evm.exists(contract)).toBe(true)
      expect([evm.balance(contract), evm.balance(other)]).toEqual([0n, 50n])
      expect(evm.storage(contract, slotOf(1n))).toEqual(toWord(1n))
    })

    test.each([
      ['berlin', 0n, false],
      ['cancun', 50n, true],
    ] as const)('in favour of itself on %s', (fork, balance, exists) => {
      const evm = world([[contract, { ...doomed[1], code: assemble('ADDRESS SELFDESTRUCT') }]], fork)
      send(evm)
      expect(evm.balance(contract)).toBe(balance)
      evm.endTx()
      expect(evm.exists(contract)).toBe(exists)
    })

    test('what the transaction created goes on Cancun too, and its balance with it', () => {
      const evm = world([], 'cancun')
      const initCode = assemble('ADDRESS SELFDESTRUCT')
      const { created } = evm.create({ from: sender, value: 9n, initCode, gas: 100_000n })
      expect(evm.balance(created!)).toBe(0n)
      evm.endTx()
      expect(evm.exists(created!)).toBe(false)
      expect(evm.changes().accounts.map(({ address }) => address)).toEqual([sender])
    })
  })

  describe('because they are empty', () => {
    test('are cleared when touched since Spurious Dragon, and kept before', () => {
      for (const [fork, stays] of [
        ['tangerineWhistle', true],
        ['spuriousDragon', false],
      ] as const) {
        const evm = world([[other, {}]], fork)
        send(evm, { to: other })
        evm.endTx()
        expect(evm.exists(other)).toBe(stays)
      }
    })

    test('are not touched by a call that failed, but for precompile 3', () => {
      const ripemd = addressOf(3n)
      const code = assemble(`${calls('CALL', other)} ${calls('CALL', ripemd)} INVALID`)
      const evm = world(
        [
          [contract, { code }],
          [other, {}],
          [ripemd, {}],
        ],
        'byzantium',
      )
      expect(send(evm).status).toBe('halt')
      evm.endTx()
      expect(evm.exists(other)).toBe(true)
      expect(evm.exists(ripemd)).toBe(false)
    })

    test('come to be by a call without value only before Spurious Dragon', () => {
      for (const [fork, exists] of [
        ['homestead', true],
        ['spuriousDragon', false],
      ] as const) {
        const evm = world([], fork)
        send(evm, { to: nobody })
        expect(evm.exists(nobody)).toBe(exists)
      }
    })
  })
})
