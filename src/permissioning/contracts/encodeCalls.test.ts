import { expect, test } from 'vitest'
import type { Enode } from '../../net/enode.ts'
import { fromHex, hexToAddress, toHex } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { Tx } from '../../types/transaction.ts'
import { encodeConnectionAllowed, encodeNodeAllowed, encodeTransactionAllowed } from './encodeCalls.ts'

const sender = hexToAddress('627306090abab3a6e1400e9345bc60c78a8bef57')
const target = hexToAddress('0000000000000000000000000000000000000077')
const unsigned = { v: 27n, r: 0n, s: 0n }
const legacy: Tx = {
  ...{ type: 0, nonce: 1n, gasPrice: 7n, gasLimit: 100_000n, to: target, value: 5n, data: new Uint8Array(0) },
  ...unsigned,
}
const words = (data: Uint8Array) => toHex(data).slice(10).match(/.{64}/g)!
const word = (n: number) => n.toString(16).padStart(64, '0')
const selector = (signature: string) => toHex(keccak256(new TextEncoder().encode(signature)).subarray(0, 4))

test('a transaction: sender, target, value, price, gas limit, payload', () => {
  const data = encodeTransactionAllowed({ ...legacy, data: fromHex('abcd') }, sender)
  expect(toHex(data.subarray(0, 4))).toBe(selector('transactionAllowed(address,address,uint256,uint256,uint256,bytes)'))
  expect(words(data)).toEqual([
    '000000000000000000000000627306090abab3a6e1400e9345bc60c78a8bef57',
    word(0x77),
    word(5),
    word(7),
    word(100_000),
    word(192),
    word(2),
    `abcd${'0'.repeat(60)}`,
  ])
})

test.each([
  [0, 1],
  [1, 1],
  [31, 1],
  [32, 2],
  [64, 3],
])('a payload of %i bytes takes %i words', (length, count) => {
  const data = encodeTransactionAllowed({ ...legacy, data: new Uint8Array(length).fill(1) }, sender)
  expect(data.length).toBe(4 + 32 * (7 + count))
})

test('the target of a creation is the zero address', () => {
  expect(words(encodeTransactionAllowed({ ...legacy, to: undefined }, sender))[1]).toBe(word(0))
})

test('a fee-market transaction has no price, one with an access list has', () => {
  const { nonce, gasLimit, to, value, data } = legacy
  const typed = { nonce, gasLimit, to, value, data, chainId: 1n, accessList: [], yParity: 0, r: 0n, s: 0n }
  const fees = { maxFee: 9n, maxPriorityFee: 8n }
  expect(words(encodeTransactionAllowed({ ...typed, ...fees, type: 2 }, sender))[3]).toBe(word(0))
  expect(words(encodeTransactionAllowed({ ...typed, type: 1, gasPrice: 9n }, sender))[3]).toBe(word(9))
})

const [high, low] = ['11'.repeat(32), '22'.repeat(32)]
const node: Enode = { id: fromHex(high + low), ip: '127.0.0.1', tcpPort: 24_900, udpPort: 0 }

test('version 1: both nodes, with addresses of 16 bytes at the left of their words', () => {
  const other = { ...node, ip: '2001:db8::1', tcpPort: 1 }
  const data = encodeConnectionAllowed(node, other)
  expect(toHex(data.subarray(0, 4))).toBe(
    selector('connectionAllowed(bytes32,bytes32,bytes16,uint16,bytes32,bytes32,bytes16,uint16)'),
  )
  expect(words(data)).toEqual([
    ...[high, low, `00000000000000000000ffff7f000001${'0'.repeat(32)}`, word(24_900)],
    ...[high, low, `20010db8000000000000000000000001${'0'.repeat(32)}`, word(1)],
  ])
})

test('version 2: id as hexadecimal text, host, port', () => {
  const data = encodeNodeAllowed(node)
  const text = (value: string) => Buffer.from(value).toString('hex')
  expect(toHex(data.subarray(0, 4))).toBe(selector('connectionAllowed(string,string,uint16)'))
  expect(words(data).join('')).toBe(
    word(96) + word(256) + word(24_900) + word(128) + text(high + low) + word(9) + text('127.0.0.1').padEnd(64, '0'),
  )
})
