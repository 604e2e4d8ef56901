import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { authorities } from '../../../test/support/authorityChain.ts'
import { createAttendance } from './attendance.ts'
import { quorumOf } from './checkCommitSeals.ts'

const terms = { grace: 250, period: 1000 }
const { grace } = terms
const base = 1600
const addresses = authorities(10).map(({ address }) => address)

/** The first of some validators, which remembers the others; heights begin behind the trial that a chain starts with. */
function open(validators = 4) {
  const members = addresses.slice(0, validators)
  const attendance = createAttendance({ address: addresses[0]!, quorumOf, base })
  let height = BigInt(validators)
  attendance.begin(height, members)
  return {
    ...attendance,
    height: () => height,
    all: members.slice(1).map((_, i) => i + 1),
    goOn(blocks = 1): void {
      for (let i = 0; i < blocks; i++) attendance.begin(++height, members)
    },
    hear: (who: number, at: bigint) => attendance.hear(addresses[who]!, at),
    link: (who: number) => attendance.link(addresses[who]!),
    unlink: (who: number) => attendance.unlink(addresses[who]!),
    made: (who: number, delay?: number) => attendance.made(addresses[who]!, delay),
    missed: (who: number, since = 0) => attendance.missed(addresses[who]!, since),
    late: (who: number, at: bigint, now: number) => attendance.late(addresses[who]!, at, now),
    patience: (who: number) => attendance.patience(addresses[who]!, terms),
  }
}

test('everybody has all of the time at first, and as long as no turn is missed', () => {
  const { patience, made, goOn, all } = open()
  for (let i = 0; i < 50; i++) {
    made(1, 1200)
    goOn()
    expect(all.map(patience)).toEqual([undefined, undefined, undefined])
  }
})

describe('a proposer that missed its turn', () => {
  test('has the grace, and what others need beside', () => {
    const { patience, made, missed } = open()
    made(2, 120)
    made(3, 180)
    missed(1)
    expect(patience(1)).toBe(120 + grace)
  })

  test('has twice the time that it needed once, if that is more', () => {
    const { patience, missed, made } = open()
    missed(1)
    expect(made(1, 900)).toBe(true)
    expect(patience(1)).toBe(1800 + grace)
    expect(made(1, 30)).toBe(false)
    expect(patience(1)).toBe(60 + grace)
  })

  test('has it also if it was too late', () => {
    const { patience, missed, late, height, hasMissed } = open()
    missed(1, 5000)
    expect([hasMissed(height()), hasMissed(height() + 1n)]).toEqual([true, false])
    late(1, height() + 1n, 5900)
    expect(patience(1)).toBe(grace)
    late(1, height(), 5900)
    expect(patience(1)).toBe(1800 + grace)
    // It comes again from everybody.
    late(1, height(), 60_000)
    expect(patience(1)).toBe(1800 + grace)
  })

  test('has more time with each turn that it makes, and all of it after sixteen', () => {
    const { patience, missed, made } = open()
    for (let again = 0; again < 2; again++) {
      missed(1)
      const patiences = Array.from({ length: 16 }, () => {
        made(1, 10)
        return patience(1)
      })
      expect(patiences.slice(0, 4)).toEqual([20 + grace, 20 + grace, 300, 400])
      expect(patiences.slice(-2)).toEqual([1500, undefined])
    }
  })

  test('says nothing about others', () => {
    const { patience, missed } = open()
    missed(1)
    expect([2, 3].map(patience)).toEqual([undefined, undefined])
  })
})

describe('a proposer that is a block period later than others', () => {
  test('has little time, although it lives, and has missed nothing', () => {
    const { patience, made } = open()
    made(2, 120)
    made(1, 120 + grace + 1000)
    expect(patience(1)).toBe(undefined)
    made(1, 120 + grace + 1001)
    expect(patience(1)).toBe(120 + grace)
    made(1, 100)
    expect(patience(1)).toBe(undefined)
  })

  test('has more again once it is only a little late', () => {
    const { patience, made, missed, late, height } = open()
    made(1, 4500)
    missed(1, 0)
    late(1, height(), 4000)
    expect(patience(1)).toBe(grace)
    missed(1, 0)
    late(1, height(), 600)
    expect(patience(1)).toBe(1200 + grace)
  })

  test('is not slow where all are', () => {
    const { patience, made, all } = open()
    for (const who of all) made(who, 4500)
    expect(all.map(patience)).toEqual([undefined, undefined, undefined])
  })
})

describe('a validator whom the others do not follow', () => {
  test('waits as they do for 32 turns of each', () => {
    const { patience, missed, unlink, followed, goOn } = open()
    missed(1)
    unlink(2)
    followed(false)
    expect([1, 2].map(patience)).toEqual([undefined, undefined])
    goOn(128)
    expect([1, 2].map(patience)).toEqual([undefined, undefined])
    goOn(1)
    expect([1, 2].map(patience)).toEqual([grace, grace])
    // The next time it is twice as long, unless somebody has followed meanwhile.
    followed(false)
    goOn(256)
    expect(patience(1)).toBe(undefined)
    goOn(1)
    expect(patience(1)).toBe(grace)
    followed(true)
    expect(patience(1)).toBe(grace)
    followed(false)
    goOn(129)
    expect(patience(1)).toBe(grace)
  })
})

describe('a connection that closes', () => {
  test('is a reason not to wait long, until something comes again', () => {
    const { patience, link, unlink, hear, height } = open()
    link(1)
    unlink(1)
    expect(patience(1)).toBe(grace)
    // Somebody passes on what it said before.
    hear(1, height())
    expect(patience(1)).toBe(grace)
    hear(1, height() + 1n)
    expect(patience(1)).toBe(undefined)
    unlink(1)
    link(1)
    expect(patience(1)).toBe(undefined)
  })

  test('says nothing if more are closed than can be missing', () => {
    const { patience, all, link, unlink } = open()
    for (const who of all) link(who)
    unlink(1)
    unlink(2)
    expect(all.map(patience)).toEqual([undefined, undefined, undefined])
  })
})

test('one that lives has all of the time in one of 32 turns, the same for all', () => {
  const { patience, missed, hear, height, goOn } = open()
  missed(1)
  const trials: bigint[] = []
  for (let i = 0; i < 300; i++) {
    if (patience(1) === undefined) trials.push(height())
    goOn()
  }
  expect(trials).toEqual([])
  hear(1, 1n)
  for (let i = 0; i < 300; i++) {
    if (patience(1) === undefined) trials.push(height())
    goOn()
  }
  expect(trials).toEqual([384n, 385n, 386n, 387n, 512n, 513n, 514n, 515n])
})

test('who is not a validator any more is forgotten', () => {
  const { patience, missed, begin, height } = open()
  missed(1)
  begin(height() + 1n, addresses.slice(2, 6))
  begin(height() + 2n, addresses.slice(0, 4))
  expect(patience(1)).toBe(undefined)
})

describe('whatever happens', () => {
  const deed = fc.oneof(
    fc.record({
      kind: fc.constantFrom('link', 'unlink', 'missed', 'late', 'hear', 'goOn'),
      who: fc.integer({ min: 1, max: 6 }),
    }),
    fc.record({
      kind: fc.constant('made'),
      who: fc.integer({ min: 1, max: 6 }),
      delay: fc.integer({ min: -10_000, max: 100_000 }),
    }),
  )

  function perform(
    network: ReturnType<typeof open>,
    { kind, who, ...rest }: { kind: string; who: number; delay?: number },
  ) {
    if (kind === 'made') network.made(who, rest.delay)
    else if (kind === 'goOn') network.goOn()
    else if (kind === 'late') network.late(who, network.height(), 500)
    else if (kind === 'missed') network.missed(who)
    else if (kind === 'hear') network.hear(who, network.height())
    else if (kind === 'link') network.link(who)
    else network.unlink(who)
  }

  test('nobody has less than the grace, and the same story gives the same patience', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), (deeds) => {
        const [one, other] = [open(7), open(7)]
        for (const each of deeds) {
          perform(one, each)
          perform(other, each)
        }
        for (const who of one.all) {
          expect(one.patience(who) ?? grace).toBeGreaterThanOrEqual(grace)
          expect(one.patience(who)).toBe(other.patience(who))
        }
      }),
    )
  })

  test('one that makes sixteen turns as quickly as others, and speaks, has all of the time', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), (deeds) => {
        const network = open(7)
        for (const each of deeds) perform(network, each)
        for (let i = 0; i < 16; i++) {
          network.made(1, 0)
          network.hear(1, network.height())
          network.goOn()
        }
        expect(network.patience(1)).toBe(undefined)
      }),
    )
  })

  test('one that was late once has the time that it needed when its next turn comes', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), fc.integer({ min: 0, max: 1000 }), (deeds, delay) => {
        const network = open(7)
        for (const each of deeds) perform(network, each)
        network.missed(1, 1000)
        network.late(1, network.height(), 1000 + delay)
        network.hear(1, network.height() + 1n)
        network.goOn(2)
        expect(network.patience(1) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(delay)
      }),
    )
  })
})
