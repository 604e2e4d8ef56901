import { expect, test } from 'vitest'
import { namedOf, readArguments, UsageError } from './runCampaign.ts'

const options = { count: { type: 'string' }, fast: { type: 'boolean' } } as const

test('known options and as many words as there may be', () => {
  const { values, positionals } = readArguments(options, 2, ['a', '--count', '3', 'b', '--fast'])
  expect([{ ...values }, positionals]).toEqual([{ count: '3', fast: true }, ['a', 'b']])
})

test.each([
  [['--typo', '5'], "Unknown option '--typo'; --help shows what can be given."],
  [['--count'], "Option '--count <value>' argument missing; --help shows what can be given."],
  [['--fast=no'], "Option '--fast' does not take an argument; --help shows what can be given."],
  [['a', 'b'], "Unexpected 'b'; --help shows what can be given."],
])('%j is refused', (args, words) => {
  expect(() => readArguments(options, 1, args)).toThrow(new UsageError(words))
})

test('names that are not in the list are refused', () => {
  const all = [{ name: 'a' }, { name: 'b' }]
  expect(namedOf('bench', all, ['b'])).toEqual([all[1]])
  expect(() => namedOf('bench', all, ['a', 'c'])).toThrow("There is no bench 'c'; --help lists them.")
})
