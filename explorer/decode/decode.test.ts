import { encodeErrorResult, encodeEventTopics, encodeFunctionData, type Hex, pad, parseAbi, toHex } from 'viem'
import { expect, test } from 'vitest'
import { showValue } from './decoded.ts'
import { decodeInput } from './decodeInput.ts'
import { decodeLog } from './decodeLog.ts'
import { erc20, erc721, erc1155, knownAbis } from './knownAbis.ts'
import { parseAbiText } from './parseAbiText.ts'
import { parseArgument } from './parseArgument.ts'
import { parseSearch } from './parseSearch.ts'
import { explainRevert } from './revertReason.ts'
import { soundAbi } from './soundAbi.ts'
import { findTokenTransfers } from './tokenTransfers.ts'

const alice = '0x627306090abaB3A6e1400e9345bC60c78a8BEf57'
const bob = '0xf17f52151EbEF6C7334FAD080c5704D77216b732'
const token: Hex = `0x${'11'.repeat(20)}`

test('input of a well-known function is decoded', () => {
  const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [bob, 7n] })
  expect(decodeInput(data, knownAbis)).toEqual({
    name: 'transfer',
    values: [
      { name: 'to', type: 'address', value: bob },
      { name: 'value', type: 'uint256', value: 7n },
    ],
  })
  expect(decodeInput('0x12345678', knownAbis)).toBeUndefined()
  expect(decodeInput(data.slice(0, 40) as Hex, knownAbis)).toBeUndefined()
  expect(decodeInput('0x', knownAbis)).toBeUndefined()
})

const transfer20 = {
  address: token,
  topics: encodeEventTopics({ abi: erc20, eventName: 'Transfer', args: { from: alice, to: bob } }) as Hex[],
  data: pad('0x05'),
}
const transfer721 = {
  address: token,
  topics: encodeEventTopics({
    abi: erc721,
    eventName: 'Transfer',
    args: { from: alice, to: bob, tokenId: 9n },
  }) as Hex[],
  data: '0x' as Hex,
}
const single = {
  address: token,
  topics: encodeEventTopics({
    abi: erc1155,
    eventName: 'TransferSingle',
    args: { operator: bob, from: alice, to: bob },
  }) as Hex[],
  data: `0x${'00'.repeat(31)}03${'00'.repeat(31)}04` as Hex,
}

test('events with the same topic are told apart by their number of topics', () => {
  expect(decodeLog(transfer20, knownAbis)?.values.at(-1)).toEqual({ name: 'value', type: 'uint256', value: 5n })
  expect(decodeLog(transfer721, knownAbis)?.values.at(-1)).toEqual({ name: 'tokenId', type: 'uint256', value: 9n })
  expect(decodeLog({ address: token, topics: [], data: '0x' }, knownAbis)).toBeUndefined()
})

test('transfers of tokens of all three kinds are found', () => {
  const ends = { token, from: alice, to: bob }
  expect(findTokenTransfers([transfer20, transfer721, single])).toEqual([
    { standard: 'ERC-20', ...ends, amount: 5n },
    { standard: 'ERC-721', ...ends, id: 9n },
    { standard: 'ERC-1155', ...ends, id: 3n, amount: 4n },
  ])
})

test('reverts are explained in words', () => {
  const abi = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error TooLate(uint256 since)'])
  const data = (errorName: 'Error' | 'Panic' | 'TooLate', arg: unknown) =>
    encodeErrorResult({ abi, errorName, args: [arg as never] })
  expect(explainRevert(data('Error', '<b>no</b>'), [])).toBe('<b>no</b>')
  expect(explainRevert(data('Panic', 0x11n), [])).toBe('Panic: an arithmetic operation overflowed or underflowed.')
  expect(explainRevert(data('TooLate', 5n), [abi])).toBe('TooLate(since: 5)')
  expect(explainRevert(data('TooLate', 5n), [])).toContain('no ABI here explains')
  expect(explainRevert('0x', [])).toBe('The contract reverted without a reason.')
})

test('an ABI may be JSON, an artifact or lines', () => {
  const json = [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }]
  expect(parseAbiText(JSON.stringify(json))).toEqual(json)
  expect(parseAbiText(JSON.stringify({ abi: json, bytecode: '0x' }))).toEqual(json)
  expect(parseAbiText('function f(uint256 x) view\nevent E(address a)')).toHaveLength(2)
  const broken = ['[{"type":"function","name":"f"}]', '[{"type":"event","name":7,"inputs":[]}]']
  for (const bad of ['', '{', '{}', '[]', '[{"type":"script"}]', 'alert(1)', ...broken])
    expect(() => parseAbiText(bad)).toThrow()
})

test('of an ABI that somebody gave, what cannot be used is left out', () => {
  const good = { type: 'function', name: 'f', inputs: [{ name: 'x', type: 'tuple', components: [] }] }
  const bad = [
    null,
    'function f()',
    { ...good, name: { toString: 1 } },
    { ...good, inputs: [{ name: 'x', type: 'tuple' }] },
    { ...good, inputs: [{ type: 5 }] },
    { ...good, outputs: 'uint256' },
    { type: 'constructor', inputs: {} },
  ]
  expect(soundAbi([...bad, good])).toEqual([{ ...good, outputs: [] }])
})

test('arguments are read by their type', () => {
  expect(parseArgument({ type: 'uint256' }, ' 12 ')).toBe(12n)
  expect(parseArgument({ type: 'bool' }, 'true')).toBe(true)
  expect(parseArgument({ type: 'uint256[]' }, '[1,2]')).toEqual([1, 2])
  expect(parseArgument({ type: 'string' }, ' a ')).toBe(' a ')
})

test('long numbers in lists keep their digits, and texts stay texts', () => {
  expect(parseArgument({ type: 'uint256[]' }, '[12500000000000000001, 2]')).toEqual([12_500_000_000_000_000_001n, 2])
  expect(parseArgument({ type: 'string[]' }, '["12500000000000000001"]')).toEqual(['12500000000000000001'])
})

test('an argument that does not fit its type is refused with what is expected', () => {
  const refusal = (type: string, text: string) => {
    try {
      return `took ${parseArgument({ type, name: 'x' }, text)}`
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(refusal('address', '')).toBe('Enter a value for x (address).')
  expect(refusal('uint256', '  ')).toBe('Enter a value for x (uint256).')
  expect(refusal('uint256', '1.5')).toBe('x (uint256) is a whole number, decimal or with 0x.')
  expect(refusal('address', '0x12')).toBe('x (address) is 0x and 40 hexadecimal digits.')
  expect(refusal('bool', 'maybe')).toBe('x (bool) is true or false.')
  expect(refusal('bytes', '0x123')).toBe('x (bytes) is 0x and an even number of hexadecimal digits.')
  expect(refusal('uint8[]', '1,2')).toBe('x (uint8[]) is a list in JSON, such as [1, 2].')
  expect(refusal('tuple', '{')).toBe('x (tuple) is an object in JSON, such as {"a": 1}.')
})

test('values are shown as text', () => {
  expect([1n, true, 'x', undefined].map(showValue)).toEqual(['1', 'true', 'x', ''])
  expect(JSON.parse(showValue([1n, { a: 2n }]))).toEqual(['1', { a: '2' }])
})

test('a search knows numbers, hashes and addresses', () => {
  expect(parseSearch(' 1,234 ')).toEqual({ kind: 'block', value: '1234' })
  expect(parseSearch('0x10')).toEqual({ kind: 'block', value: '16' })
  expect(parseSearch('Latest')).toEqual({ kind: 'block', value: 'latest' })
  expect(parseSearch(alice)).toEqual({ kind: 'address', value: alice.toLowerCase() })
  expect(parseSearch(toHex(1, { size: 32 }).slice(2))).toEqual({ kind: 'hash', value: toHex(1, { size: 32 }) })
  for (const part of ['0x7bee6c6cb3', `${alice}00`, '0x7bee6c6cb3…'])
    expect(parseSearch(part)).toEqual({ kind: 'part', value: part })
  expect(parseSearch('<script>')).toBeUndefined()
})
