import { expect, test } from 'vitest'
import { type Address, toAddress } from '../../primitives/bytes.ts'
import { castVote, startTally } from './tally.ts'
import { createVotes } from './votes.ts'

const account = (n: number): Address => toAddress(new Uint8Array(20).fill(n))
const [a, b, c, d, e] = [1, 2, 3, 4, 5].map(account) as [Address, Address, Address, Address, Address]
const tally = startTally([a, b, c])

test('votes are kept by subject, the last one counts', () => {
  const votes = createVotes()
  expect(votes.discard(d)).toBe(false)
  votes.propose(d, true)
  votes.propose(a, false)
  votes.propose(d, false)
  expect(votes.pending()).toEqual([
    { subject: a, add: false },
    { subject: d, add: false },
  ])
  expect([votes.discard(d), votes.discard(d)]).toEqual([true, false])
  expect(votes.pending()).toEqual([{ subject: a, add: false }])
})

test('votes are cast in turn', () => {
  const votes = createVotes()
  for (const subject of [d, e]) votes.propose(subject, true)
  votes.propose(b, false)
  expect([1, 2, 3, 4].map(() => votes.choose(tally, a)?.subject)).toEqual([d, e, b, d])
})

test.each([
  ['to drop a validator', b, false, [], true],
  ['to drop a stranger', d, false, [], false],
  ['to add a validator', b, true, [], false],
  ['to add a stranger', d, true, [], true],
  ['to add one who has this vote already', d, true, [true], false],
  ['to add one whom it voted to drop', d, true, [false], true],
  ['to drop one who has this vote already', b, false, [false], false],
  ['to drop one whom it voted to add', d, false, [true], true],
])('a vote %s', (_, subject, add, cast, wanted) => {
  const votes = createVotes()
  votes.propose(subject, add)
  const after = cast.reduce((count, word) => castVote(count, { proposer: a, subject, add: word }), tally)
  expect(votes.choose(after, a) !== undefined).toBe(wanted)
})

test('what has passed stays listed but is not voted for again', () => {
  const votes = createVotes()
  votes.propose(d, true)
  const passed = [a, b].reduce((count, proposer) => castVote(count, { proposer, subject: d, add: true }), tally)
  expect(votes.choose(passed, a)).toBeUndefined()
  expect(votes.pending()).toHaveLength(1)
})
