import { describe, expect, test } from 'vitest'
import { authorities } from '../../../test/support/authorityChain.ts'
import { createPacemaker } from './pacemaker.ts'

const addresses = authorities(7).map(({ address }) => address)
const base = 2000

/** The first of some validators; the proposer of a round is the one whose turn it is. */
function open(validators: number, quorum: number) {
  const pace = createPacemaker({
    rules: { quorum, proposerOf: (round) => addresses[round % validators]! },
    address: addresses[0]!,
    base,
  })
  return { ...pace, hear: (who: number, round: number) => pace.hear(addresses[who]!, round) }
}

test('a first round is always followed by another, which has twice the time', () => {
  const { enter, expire } = open(4, 3)
  expect(enter(0)).toBe(base)
  expect(expire()).toBe('next')
  expect(enter(1)).toBe(2 * base)
})

test('a later round is not left before a quorum has come to it', () => {
  const { enter, expire, hear, wait } = open(4, 3)
  enter(0)
  enter(1)
  hear(1, 1)
  for (let i = 0; i < 1000; i++) expect(expire()).toBe('repeat')
  expect(wait()).toBe(base)
  hear(2, 1)
  expect(expire()).toBe('next')
})

test('those that are further on count: they do not come back', () => {
  const { enter, expire, hear } = open(4, 3)
  enter(0)
  enter(1)
  hear(1, 5)
  hear(2, 3)
  expect(expire()).toBe('next')
  // The round was nobody else's: it says nothing about the speed of the network.
  expect(enter(2)).toBe(2 * base)
})

test('time doubles with each round that a quorum was in, up to a limit', () => {
  const { enter, hear } = open(1, 1)
  const waits = Array.from({ length: 8 }, (_, round) => enter(round))
  expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
  expect(hear(0, 3)).toBe(false)
})

describe('a proposer that does not appear although a quorum did', () => {
  test('has a quarter of the time', () => {
    const { enter, hear, wait } = open(4, 3)
    enter(0)
    enter(1)
    expect(hear(2, 1)).toBe(false)
    expect(hear(3, 1)).toBe(true)
    expect(wait()).toBe(base / 2)
    expect(hear(1, 1)).toBe(true)
    expect(wait()).toBe(2 * base)
  })

  test('is not waited for longer in round 0, where nobody speaks before it', () => {
    const { enter, hear, wait } = open(4, 3)
    enter(0)
    for (const who of [1, 2, 3]) hear(who, 0)
    expect(wait()).toBe(base)
  })
})
