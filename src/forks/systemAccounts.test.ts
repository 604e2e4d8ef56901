import { expect, test } from 'vitest'
import { toHex } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { encodeRlp } from '../primitives/rlp.ts'
import { senderOf } from '../types/signTx.ts'
import { makerCost, makerOf, placedContracts, systemAccountKeys, systemAccounts } from './systemAccounts.ts'
import { publicSystemContracts, type SystemContracts } from './systemContracts.ts'

test.each(Object.entries(publicSystemContracts) as [keyof SystemContracts, Uint8Array][])(
  'the transaction that makes %s makes it at its address, with its code',
  (name, address) => {
    const tx = makerOf(name)
    const made = keccak256(encodeRlp([senderOf(tx)!, new Uint8Array(0)])).subarray(12)
    expect(toHex(made)).toBe(toHex(address))
    const { code } = systemAccounts('osaka')[toHex(address).slice(2)]!
    expect(toHex(tx.data).endsWith(code.slice(2))).toBe(true)
    expect(makerCost).toBe(250_000_000_000_000_000n)
  },
)

test('forks have the contracts that they call', () => {
  expect(Object.keys(systemAccounts('shanghai'))).toEqual([])
  expect(placedContracts('cancun', publicSystemContracts).map(({ address }) => address)).toEqual([
    publicSystemContracts.beaconRoots,
  ])
  expect(placedContracts('osaka', publicSystemContracts)).toHaveLength(4)
  expect(systemAccountKeys('shanghai')).toEqual({})
  expect(Object.keys(systemAccountKeys('cancun'))).toHaveLength(3)
})
