import { describe, expect, test } from 'vitest'
import { keccak256 } from '../primitives/keccak.ts'
import { type Body, encodeBody } from '../types/block.ts'
import { blankHeader, type Header } from '../types/header.ts'
import { decodeStoredBody, encodeStoredBody } from './storedBody.ts'

const empty: Body = { transactions: [], ommers: [], withdrawals: undefined }
const other = keccak256(Uint8Array.of(1))
const withWithdrawals: Header = { ...blankHeader, withdrawalsRoot: blankHeader.transactionsRoot }

describe('a stored body', () => {
  test.each<[string, Header, Body]>([
    ['before withdrawals', blankHeader, empty],
    ['with a list of withdrawals', withWithdrawals, { ...empty, withdrawals: [] }],
  ])('that is empty is left out: %s', (_, header, body) => {
    expect(encodeStoredBody(body)).toBe(undefined)
    expect(decodeStoredBody(undefined, header)).toEqual(body)
    // As it was stored before.
    expect(decodeStoredBody(encodeBody(body), header)).toEqual(body)
  })

  test.each<[string, Body]>([
    ['ommers', { ...empty, ommers: [blankHeader] }],
    [
      'withdrawals',
      { ...empty, withdrawals: [{ index: 1n, validatorIndex: 2n, address: blankHeader.beneficiary, amount: 3n }] },
    ],
  ])('with %s is stored', (_, body) => {
    expect(decodeStoredBody(encodeStoredBody(body), blankHeader)).toEqual(body)
  })

  test.each<[string, Header | undefined]>([
    ['without a header', undefined],
    ['of a block with transactions', { ...blankHeader, transactionsRoot: other }],
    ['of a block with ommers', { ...blankHeader, ommersHash: other }],
    ['of a block with withdrawals', { ...blankHeader, withdrawalsRoot: other }],
  ])('that is not there is missing: %s', (_, header) => {
    expect(decodeStoredBody(undefined, header)).toBe(undefined)
  })
})
