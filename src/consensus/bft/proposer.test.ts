import { expect, test } from 'vitest'
import { toAddress, zeroAddress } from '../../primitives/bytes.ts'
import { createProposerOrder } from './proposer.ts'

const at = (byte: number) => toAddress(new Uint8Array(20).fill(byte))
const validators = [at(10), at(20), at(30), at(40)]
const turns = (last: number) => [0, 1, 2, 3, 4].map((round) => createProposerOrder(validators, at(last))(round)[0])

test('the one after the last proposer comes first, then the others in turn', () => {
  expect(turns(10)).toEqual([20, 30, 40, 10, 20])
  expect(turns(40)).toEqual([10, 20, 30, 40, 10])
})

test('after one who is no validator any more the next in order comes first', () => {
  expect(turns(25)).toEqual([30, 40, 10, 20, 30])
  expect(turns(50)).toEqual([10, 20, 30, 40, 10])
})

test('the first block is proposed by the first validator', () => {
  expect(createProposerOrder(validators, zeroAddress)(0)).toBe(validators[0])
})
