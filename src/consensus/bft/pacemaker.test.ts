import { describe, expect, test } from 'vitest'
import { authorities } from '../../../test/support/authorityChain.ts'
import { createPacemaker } from './pacemaker.ts'

const addresses = authorities(10).map(({ address }) => address)
const base = 2000

/** The first of some validators; the proposer of a round is the one whose turn it is. */
function open(validators: number) {
  const quorum = Math.ceil((2 * validators) / 3)
  const tolerated = Math.floor((validators - 1) / 3)
  const pace = createPacemaker({
    rules: { quorum, tolerated, proposerOf: (round) => addresses[round % validators]! },
    address: addresses[0]!,
    base,
  })
  return {
    ...pace,
    noteRound: (who: number, round: number) => pace.noteRound(addresses[who]!, round),
    reconnect: (who: number) => pace.reconnect(addresses[who]!),
    /** Enters a round that all are in, and returns its time. */
    meet(round: number): number {
      pace.enter(round)
      for (const address of addresses.slice(1, validators)) pace.noteRound(address, round)
      return pace.wait()
    },
  }
}

test('a first round is always followed by another', () => {
  const { enter, expire } = open(4)
  expect(enter(0)).toBe(base)
  expect(expire()).toBe('next')
})

test('a later round is not left before a quorum has come to it', () => {
  const { enter, expire, noteRound, wait } = open(4)
  enter(0)
  enter(1)
  noteRound(1, 1)
  for (let i = 0; i < 1000; i++) expect(expire()).toBe('repeat')
  expect(wait()).toBe(base)
  noteRound(2, 1)
  expect(expire()).toBe('next')
})

test('the time of a later round starts again when a quorum is in it', () => {
  const { enter, noteRound } = open(4)
  enter(0)
  enter(1)
  expect([noteRound(1, 1), noteRound(2, 1), noteRound(3, 1)]).toEqual([false, true, false])
})

test('those that are further on count: they do not come back', () => {
  const { enter, expire, noteRound, meet } = open(4)
  enter(0)
  enter(1)
  noteRound(1, 5)
  noteRound(2, 3)
  expect(expire()).toBe('next')
  // The round was nobody else's: it says nothing about the speed of the network.
  expect(enter(2)).toBe(base)
  expect(meet(6)).toBe(base)
})

test('time doubles with each round that a quorum was in, up to a limit, however long it took to come together', () => {
  const { expire, enter, noteRound, wait } = open(3)
  enter(0)
  const waits = Array.from({ length: 8 }, (_, i) => {
    enter(i + 1)
    for (let j = 0; j < 5; j++) expect(expire()).toBe('repeat')
    noteRound(1, i + 1)
    noteRound(2, i + 1)
    return wait()
  })
  expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

test('one who is alone waits for nobody', () => {
  const { enter } = open(1)
  expect([0, 1, 2, 3].map(enter)).toEqual([base, base, base, base])
})

describe('a proposer that does not appear although a quorum did', () => {
  test('has a quarter of the time', () => {
    const { enter, noteRound, wait } = open(4)
    enter(0)
    enter(1)
    expect(noteRound(2, 1)).toBe(false)
    expect(noteRound(3, 1)).toBe(true)
    expect(wait()).toBe(base / 4)
    expect(noteRound(1, 1)).toBe(true)
    expect(wait()).toBe(base)
  })

  test('is not waited for longer in round 0, where nobody speaks before it', () => {
    const { enter, noteRound, wait } = open(4)
    enter(0)
    for (const who of [1, 2, 3]) noteRound(who, 0)
    expect(wait()).toBe(base)
  })

  test('does not make the next round longer, unless more are missing than can be', () => {
    const { enter, noteRound, wait } = open(10)
    enter(0)
    // Six others of ten, never the proposer.
    const waits = [1, 2, 3, 4, 5].map((round) => {
      enter(round)
      for (const who of [1, 2, 3, 4, 5, 6, 7].filter((one) => one !== round)) noteRound(who, round)
      return wait()
    })
    expect(waits).toEqual([500, 500, 500, 500, 1000])
  })
})

test('a connection that opens makes rounds short again, a few times', () => {
  const { meet, reconnect, wait } = open(4)
  meet(0)
  let round = 1
  for (let i = 0; i < 4; i++) {
    meet(round++)
    expect(meet(round++)).toBeGreaterThan(base)
    expect(reconnect(1)).toBe(true)
    expect(wait()).toBe(base)
  }
  meet(round++)
  expect(meet(round)).toBeGreaterThan(base)
  expect(reconnect(1)).toBe(false)
  expect(wait()).toBeGreaterThan(base)
})

test('one more than may be faulty are followed, as far as one of them surely is', () => {
  const { enter, noteRound, roundToCatchUp } = open(7)
  enter(0)
  noteRound(1, 9)
  noteRound(2, 8)
  expect(roundToCatchUp()).toBeUndefined()
  noteRound(3, 4)
  expect(roundToCatchUp()).toBe(4)
  noteRound(4, 6)
  expect(roundToCatchUp()).toBe(6)
  enter(6)
  expect(roundToCatchUp()).toBeUndefined()
})

test('everyone is followed where nobody may be faulty, but not into the first round', () => {
  const { noteRound, roundToCatchUp } = open(3)
  noteRound(1, 0)
  expect(roundToCatchUp()).toBeUndefined()
  noteRound(1, 5)
  expect(roundToCatchUp()).toBe(5)
})
