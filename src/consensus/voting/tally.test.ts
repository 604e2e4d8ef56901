import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Address, keyOf, toAddress } from '../../primitives/bytes.ts'
import { castVote, majorityOf, sortValidators, startTally, type Vote } from './tally.ts'

const account = (n: number): Address => toAddress(new Uint8Array(20).fill(n))
const vote = (proposer: number, subject: number, add: boolean): Vote => ({
  proposer: account(proposer),
  subject: account(subject),
  add,
})
const numbers = (list: readonly Address[]) => list.map((address) => address[0])
const counted = (validators: number[], ...votes: Vote[]) => votes.reduce(castVote, startTally(validators.map(account)))

test('majorities', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(majorityOf)).toEqual([1, 2, 2, 3, 3, 4, 4])
})

test('lists are ascending and name everybody once', () => {
  expect(numbers(sortValidators([3, 1, 3, 2].map(account)))).toEqual([1, 2, 3])
  expect(numbers(sortValidators([255, 127, 128].map(account)))).toEqual([127, 128, 255])
})

describe('votes', () => {
  test('add once more than half agree', () => {
    expect(numbers(counted([1, 2], vote(1, 9, true)).validators)).toEqual([1, 2])
    const { validators, votes } = counted([1, 2], vote(1, 9, true), vote(2, 9, true))
    expect(numbers(validators)).toEqual([1, 2, 9])
    expect(votes.size).toBe(0)
  })

  test('count once per proposer and subject', () => {
    expect(numbers(counted([1, 2, 3], vote(1, 9, true), vote(1, 9, true)).validators)).toEqual([1, 2, 3])
  })

  test('can be taken back', () => {
    const taken = counted([1, 2, 3], vote(1, 9, true), vote(1, 9, false), vote(2, 9, true))
    expect(numbers(taken.validators)).toEqual([1, 2, 3])
  })

  test('of one who is dropped are forgotten', () => {
    const dropped = counted([1, 2, 3], vote(3, 9, true), vote(1, 3, false), vote(2, 3, false))
    expect(numbers(dropped.validators)).toEqual([1, 2])
    expect(numbers(castVote(dropped, vote(1, 9, true)).validators)).toEqual([1, 2])
  })

  test('cast before another left take effect when their subject is named again, by whatever vote', () => {
    const fewer = counted(
      [1, 2, 3, 4],
      vote(1, 3, false),
      vote(2, 3, false),
      ...[1, 2, 3].map((n) => vote(n, 4, false)),
    )
    expect(numbers(fewer.validators)).toEqual([1, 2, 3])
    expect(numbers(castVote(fewer, vote(3, 3, true)).validators)).toEqual([1, 2])
  })

  test('leave the tally that they are cast on as it was', () => {
    const before = counted([1, 2], vote(1, 9, true))
    castVote(before, vote(2, 9, true))
    expect(numbers(before.validators)).toEqual([1, 2])
    expect([...before.votes.keys()]).toEqual([keyOf(account(9))])
  })
})

/** The same in another way: two sets per subject, changed in place. */
function model(validators: number[], votes: readonly (readonly [number, number, boolean])[]): number[] {
  const current = new Set(validators)
  const adders = new Map<number, Set<number>>()
  const droppers = new Map<number, Set<number>>()
  const of = (sets: typeof adders, subject: number) => {
    const set = sets.get(subject) ?? new Set()
    sets.set(subject, set)
    return set
  }
  for (const [proposer, subject, add] of votes) {
    const [gains, loses] = [of(add ? adders : droppers, subject), of(add ? droppers : adders, subject)]
    gains.add(proposer)
    loses.delete(proposer)
    const limit = Math.floor(current.size / 2) + 1
    const passed = of(adders, subject).size >= limit
    const dropped = of(droppers, subject).size >= limit
    if (passed) current.add(subject)
    if (dropped) current.delete(subject)
    if (passed || dropped) for (const sets of [adders, droppers]) sets.delete(subject)
    if (dropped) for (const sets of [adders, droppers]) for (const set of sets.values()) set.delete(subject)
  }
  return [...current].sort((a, b) => a - b)
}

test('counts as two sets per subject do', () => {
  const small = fc.integer({ min: 1, max: 6 })
  const votes = fc.array(fc.tuple(small, small, fc.boolean()), { maxLength: 40 })
  fc.assert(
    fc.property(fc.uniqueArray(small, { minLength: 1 }), votes, (validators, list) => {
      // Only validators vote.
      const cast: (readonly [number, number, boolean])[] = []
      let tally = startTally(validators.map(account))
      for (const [proposer, subject, add] of list) {
        if (!numbers(tally.validators).includes(proposer)) continue
        cast.push([proposer, subject, add])
        tally = castVote(tally, vote(proposer, subject, add))
        expect(numbers(tally.validators)).toEqual(model(validators, cast))
      }
    }),
  )
})
