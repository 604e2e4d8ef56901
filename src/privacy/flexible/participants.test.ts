import { expect, test } from 'vitest'
import { calls } from '../../../test/support/flexibleCalls.ts'
import { concatBytes, emptyBytes } from '../../primitives/bytes.ts'
import { bigIntToFixed } from '../../primitives/u256.ts'
import { addedParticipants, decodeParticipants } from './participants.ts'

const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const word = (n: bigint) => bigIntToFixed(n, 32)

test('members of a call and of an answer', () => {
  const { data } = calls.add(one, two)
  expect(addedParticipants(data)).toEqual([one, two])
  expect(decodeParticipants(data.subarray(4))).toEqual([one, two])
  expect(decodeParticipants(concatBytes(word(32n), word(0n)))).toEqual([])
})

test('keys of elliptic curves have 91 bytes', () => {
  const long = new Uint8Array(91).fill(3)
  const encoded = concatBytes(word(32n), word(1n), word(32n), word(91n), long, new Uint8Array(5))
  expect(decodeParticipants(encoded)).toEqual([long])
})

test('anything else counts as empty', () => {
  const { data } = calls.add(one, two)
  const broken = [
    emptyBytes,
    new Uint8Array(40),
    data.subarray(4, -32),
    concatBytes(word(32n), word(1n << 200n)),
    concatBytes(word(32n), word(1n << 31n), word(0n)),
    concatBytes(word(32n), word(1n), word(32n), word(1n << 40n), one),
  ]
  for (const bytes of broken) expect(decodeParticipants(bytes)).toEqual([])
})
