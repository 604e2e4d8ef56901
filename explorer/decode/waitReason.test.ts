import { expect, test } from 'vitest'
import { type SenderFacts, waitReason } from './waitReason.ts'

const gwei = 10n ** 9n
const facts: SenderFacts = { next: 3, known: new Set([3, 4, 7]), balance: 10n ** 18n, baseFee: 7n * gwei }
const tx = (nonce: number, change: object = {}) =>
  ({ nonce: `0x${nonce.toString(16)}`, gas: '0x5208', value: '0x1', gasPrice: '0x4a817c800', ...change }) as const

test.each([
  ['nothing', tx(3), undefined],
  ['others before it that can be mined', tx(4), undefined],
  ['a nonce', tx(6, {}), 'nonce 5 is missing'],
  ['several nonces', tx(9), 'nonces 5, 6, 8 are missing'],
  ['many nonces', tx(50), 'nonces 5, 6, 8 … are missing'],
  ['a nonce that is used', tx(2), 'nonce 2 is used: another transaction has it'],
  ['a price below the base fee', tx(3, { gasPrice: '0x1' }), 'it pays at most <0.000001 gwei, the base fee is 7 gwei'],
  ['ether', tx(3, { value: '0xde0b6b3a7640000' }), 'it may cost 1.00042 ether, its sender has 1'],
] as const)('waits for %s', (_, waiting, reason) => {
  expect(waitReason(waiting, facts)).toBe(reason)
})
