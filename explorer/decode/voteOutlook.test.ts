import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { type ChainVotes, listCandidacies, outlookOf, outlookOfProposal } from './voteOutlook.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as Hex
const [one, two, three, four, candidate] = ['1', '2', '3', '4', 'c'].map(address) as [Hex, Hex, Hex, Hex, Hex]
const validators = [one, two, three, four]
const chain: ChainVotes = {
  validators: '0x4',
  needed: '0x3',
  nextEpoch: '0x7530',
  votes: { [candidate]: { [one]: true, [two]: true, [three]: false }, [four]: { [one]: false } },
}

test('accounts that are voted on, nearest to a decision first', () => {
  expect(listCandidacies(chain).map(({ subject, add, missing }) => [subject, add, missing])).toEqual([
    [candidate, true, 1],
    [candidate, false, 2],
    [four, false, 2],
  ])
})

test('what happens next', () => {
  const [first, second, third] = listCandidacies(chain)
  expect(outlookOf(first!, false)).toBe('it becomes a validator with one more vote')
  expect(outlookOf(second!, false)).toBe('it is no validator')
  expect(outlookOf(third!, true)).toBe('it is removed with 2 more votes')
})

test('what becomes of the vote that a node holds ready', () => {
  const of = (subject: Hex, add: boolean, voter: Hex | undefined) =>
    outlookOfProposal({ subject, add, voter }, chain, validators)
  expect(of(candidate, true, one)).toBe('is in the chain')
  expect(of(candidate, true, three)).toBe('goes into the next block that this node makes')
  expect(of(one, true, two)).toMatch(/^done: it is a validator/)
  expect(of(candidate, false, four)).toMatch(/^done: it is no validator/)
  expect(of(candidate, true, candidate)).toBe('without effect: the node is no validator')
  expect(of(candidate, true, undefined)).toBe('goes into the next block that this node makes')
})
