import { expect, test } from 'vitest'
import { authorities } from '../../../test/support/authorityChain.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { BftEncoding } from './messageEncoding.ts'
import { createPeerEncodings } from './peerEncodings.ts'

const [a, b, c] = authorities(3).map(({ address }) => address) as [Address, Address, Address]
const both = ['accessList', 'legacy']
const open = (fixed?: BftEncoding, validators: readonly Address[] = [a, b, c]) =>
  createPeerEncodings(fixed, () => validators)

test('who has said nothing yet gets both, then what it writes itself', () => {
  const encodings = open()
  expect(encodings.to(a)).toEqual(both)
  encodings.note({ author: a, from: a, encoding: 'accessList' })
  encodings.note({ author: b, from: b, encoding: 'legacy' })
  expect([a, b, c].map(encodings.to)).toEqual([['accessList'], ['legacy'], both])
})

test('a connection that opens again may lead to another version', () => {
  const encodings = open()
  encodings.note({ author: a, from: a, encoding: 'legacy' })
  encodings.link(a)
  expect(encodings.to(a)).toEqual(both)
  encodings.note({ author: a, from: a, encoding: 'accessList' })
  expect(encodings.to(a)).toEqual(['accessList'])
})

test('anyone who passes on to those who are not connected gets what they read, too', () => {
  const encodings = open()
  encodings.note({ author: a, from: a, encoding: 'accessList' })
  encodings.note({ author: b, from: a, encoding: 'legacy' })
  expect(encodings.to(a)).toEqual(both)
  encodings.note({ author: b, from: a, encoding: 'accessList' })
  expect(encodings.to(a)).toEqual(['accessList'])
})

test('what others pass on says nothing new of one who is connected', () => {
  const encodings = open()
  for (const one of [a, b]) encodings.note({ author: one, from: one, encoding: 'legacy' })
  encodings.note({ author: a, from: b, encoding: 'accessList' })
  encodings.note({ author: a, from: undefined, encoding: 'accessList' })
  expect([a, b].map(encodings.to)).toEqual([['legacy'], ['legacy']])
})

test('those who are not validators any more count no more', () => {
  const validators = [a, b, c]
  const encodings = open(undefined, validators)
  encodings.note({ author: a, from: a, encoding: 'accessList' })
  encodings.note({ author: c, from: a, encoding: 'legacy' })
  validators.pop()
  expect(encodings.to(a)).toEqual(['accessList'])
})

test.each(['legacy', 'accessList'] as const)('%s is written to all where it is set', (fixed) => {
  const encodings = open(fixed)
  for (const encoding of ['legacy', 'accessList'] as const) encodings.note({ author: a, from: a, encoding })
  encodings.link(b)
  expect([a, b].map(encodings.to)).toEqual([[fixed], [fixed]])
})
