import { expect, test } from 'vitest'
import { devTx } from '../../test/support/testChain.ts'
import { encodeRlp } from '../primitives/rlp.ts'
import { orderedTrieRoot } from '../trie/orderedRoot.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { encodeBody } from '../types/block.ts'
import { encodeTx } from '../types/encodeTx.ts'
import { blankHeader, type Header } from '../types/header.ts'
import { signTx } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import { emptyBodyOf, matchBodies } from './bodyRoots.ts'

const typed = signTx(
  {
    type: 1,
    chainId: 1n,
    nonce: 0n,
    gasPrice: 1n,
    gasLimit: 21_000n,
    to: undefined,
    value: 0n,
    data: new Uint8Array(60),
    accessList: [],
  },
  new Uint8Array(32).fill(1),
)

function blockOf(...transactions: Tx[]): { header: Header; body: Uint8Array } {
  const header = { ...blankHeader, transactionsRoot: orderedTrieRoot(transactions.map(encodeTx)) }
  return { header, body: encodeBody({ transactions, ommers: [], withdrawals: undefined }) }
}

const blocks = [blockOf(devTx(0n)), blockOf(typed, devTx(1n)), blockOf(devTx(2n), typed)]
const headers = blocks.map(({ header }) => header)

test('an answer that leaves bodies out is matched by their roots', () => {
  const [first, second, third] = blocks.map(({ body }) => body)
  expect(matchBodies(headers, [first!, third!])).toEqual([first, undefined, third])
  expect(matchBodies(headers, [second!])).toEqual([undefined, second, undefined])
  expect(matchBodies(headers, [])).toEqual([undefined, undefined, undefined])
  expect(matchBodies(headers, [first!, second!, third!])).toEqual([first, second, third])
})

test('a body of another block, or with withdrawals too many, matches nothing', () => {
  const other = blockOf(devTx(9n)).body
  const withdrawn = encodeBody({ transactions: [devTx(0n)], ommers: [], withdrawals: [] })
  expect(matchBodies(headers, [other])).toEqual([undefined, undefined, undefined])
  expect(matchBodies(headers, [withdrawn])).toEqual([undefined, undefined, undefined])
})

test('headers tell of bodies that are empty', () => {
  expect(emptyBodyOf(blankHeader)).toEqual(encodeRlp([[], []]))
  expect(emptyBodyOf({ ...blankHeader, withdrawalsRoot: emptyTrieRoot })).toEqual(encodeRlp([[], [], []]))
  expect(emptyBodyOf(headers[0]!)).toBeUndefined()
})
