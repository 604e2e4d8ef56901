import { expect, test } from 'vitest'
import { readSigned } from '../data/tokenLists.ts'
import type { CallFrame } from './callTree.ts'
import { internalCallsOf } from './internalCalls.ts'
import { areAmounts, returnsAmount } from './tokenAmounts.ts'

const frame = (from: string, to: string, calls: readonly CallFrame[] = [], error?: string): CallFrame => ({
  ...{ type: 'CALL', from: `0x${from}`, to: `0x${to}`, gas: '0x0', gasUsed: '0x0', input: '0x', calls },
  ...(error && { error }),
})

test('internal calls are those below the transaction; what is below a failed one failed too', () => {
  const trace = frame('a', 'B', [frame('B', 'c', [frame('c', 'b')], 'reverted'), frame('B', 'd'), frame('d', 'e')])
  expect(internalCallsOf(trace, '0xb').map(({ path, failed }) => [path.join(), failed])).toEqual([
    ['0', true],
    ['0,0', true],
    ['1', false],
  ])
  expect(internalCallsOf(trace, '0xa')).toEqual([])
})

test('amounts of a token are found by function, type and name', () => {
  const value = (name: string, type = 'uint256') => ({ name, type, value: 1n })
  const amounts = (name: string, ...values: ReturnType<typeof value>[]) => areAmounts({ name, values })
  expect(amounts('transfer', value('to', 'address'), value('value'))).toEqual([false, true])
  expect(amounts('Transfer', value('from', 'address'), value('to', 'address'), value('tokenId'))).toEqual([
    false,
    false,
    false,
  ])
  expect(amounts('set', value('value'))).toEqual([false])
  expect([returnsAmount('totalSupply'), returnsAmount('decimals')]).toEqual([true, false])
})

test('sums of events may have a sign', () => {
  expect([readSigned('0x10'), readSigned('-0x10'), readSigned('0x0')]).toEqual([16n, -16n, 0n])
})
