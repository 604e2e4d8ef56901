import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAddress } from '../../primitives/bytes.ts'
import { castVote, startTally } from './tally.ts'
import { decodeTally, encodeTally } from './tallyCodec.ts'

const account = fc.integer({ min: 1, max: 6 }).map((n) => toAddress(new Uint8Array(20).fill(n + 0xf0)))

test('a stored tally is read as it was', () => {
  const vote = fc.record({ proposer: account, subject: account, add: fc.boolean() })
  fc.assert(
    fc.property(fc.array(account, { maxLength: 6 }), fc.array(vote, { maxLength: 20 }), (first, votes) => {
      const tally = votes.reduce(castVote, startTally(first))
      expect(decodeTally(encodeTally(tally))).toEqual(tally)
    }),
  )
})
