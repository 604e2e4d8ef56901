import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { authorities } from '../../../test/support/authorityChain.ts'
import { createAttendance } from './attendance.ts'
import { quorumOf } from './checkCommitSeals.ts'

const grace = 250
const base = 1600
const addresses = authorities(10).map(({ address }) => address)

/** The first of some validators, which remembers the others; heights begin behind the trial that a chain starts with. */
function open(validators = 4) {
  const members = addresses.slice(0, validators)
  const attendance = createAttendance({ address: addresses[0]!, quorumOf, base })
  let height = BigInt(validators)
  attendance.begin(height, members)
  const others = members.slice(1).keys()
  const all = [...others].map((i) => i + 1)
  return {
    ...attendance,
    height: () => height,
    all,
    /** Decides blocks about which these others have spoken. */
    decide(speakers: readonly number[], blocks = 1): void {
      for (let i = 0; i < blocks; i++) {
        for (const who of speakers) attendance.hear(addresses[who]!, height)
        attendance.end()
        attendance.begin(++height, members)
      }
    },
    hear: (who: number, at: bigint) => attendance.hear(addresses[who]!, at),
    link: (who: number) => attendance.link(addresses[who]!),
    unlink: (who: number) => attendance.unlink(addresses[who]!),
    made: (who: number, delay?: number) => attendance.made(addresses[who]!, delay),
    missed: (who: number, since = 0) => attendance.missed(addresses[who]!, since),
    late: (who: number, at: bigint, now: number) => attendance.late(addresses[who]!, at, now),
    patience: (who: number) => attendance.patience(addresses[who]!, grace),
  }
}

test('everybody has all of the time at first, and as long as no turn is missed', () => {
  const { patience, made, decide, all } = open()
  for (let i = 0; i < 50; i++) {
    made(1, 3000)
    decide(all)
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
    late(1, height() + 1n, 7000)
    expect(patience(1)).toBe(grace)
    late(1, height(), 7000)
    expect(patience(1)).toBe(4000 + grace)
    // It comes again from everybody.
    late(1, height(), 60_000)
    expect(patience(1)).toBe(4000 + grace)
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

describe('a proposer that others do not hear', () => {
  test('has little time if it is late as well, although it lives', () => {
    const { patience, made, decide, link } = open()
    link(1)
    made(1, 4500)
    expect(patience(1)).toBe(undefined)
    decide([2, 3], 2)
    expect(patience(1)).toBe(grace)
    decide([1, 2, 3])
    expect(patience(1)).toBe(undefined)
  })

  test('is heard if its word comes after the block', () => {
    const { patience, made, decide, link, hear, height } = open()
    link(1)
    made(1, 4500)
    decide([2, 3], 2)
    hear(1, height() - 3n)
    expect(patience(1)).toBe(grace)
    hear(1, height() - 2n)
    expect(patience(1)).toBe(undefined)
    decide([2, 3])
    expect(patience(1)).toBe(grace)
  })

  test('may be behind others that pass its words on too late', () => {
    const { patience, made, decide } = open()
    made(1, 4500)
    decide([2, 3], 2)
    expect(patience(1)).toBe(undefined)
  })

  test('is not silent for one who has not heard a quorum', () => {
    const { patience, made, decide, link } = open()
    link(1)
    made(1, 4500)
    decide([2], 20)
    expect(patience(1)).toBe(undefined)
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

  test('that opened before the first height is known', () => {
    const attendance = createAttendance({ address: addresses[0]!, quorumOf, base })
    attendance.link(addresses[1]!)
    attendance.begin(4n, addresses.slice(0, 4))
    attendance.unlink(addresses[1]!)
    expect(attendance.patience(addresses[1]!, grace)).toBe(grace)
  })
})

test('one that lives has all of the time in one of 32 turns, the same for all', () => {
  const { patience, missed, hear, height, decide } = open()
  missed(1)
  const trials: bigint[] = []
  for (let i = 0; i < 300; i++) {
    if (patience(1) === undefined) trials.push(height())
    decide([2, 3])
  }
  expect(trials).toEqual([])
  hear(1, 1n)
  for (let i = 0; i < 300; i++) {
    if (patience(1) === undefined) trials.push(height())
    decide([2, 3])
  }
  expect(trials).toEqual([384n, 385n, 386n, 387n, 512n, 513n, 514n, 515n])
})

test('who is not a validator any more is forgotten', () => {
  const { patience, missed, begin, end, height } = open()
  missed(1)
  end()
  begin(height() + 1n, addresses.slice(2, 6))
  begin(height() + 2n, addresses.slice(0, 4))
  expect(patience(1)).toBe(undefined)
})

describe('whatever happens', () => {
  const deed = fc.oneof(
    fc.record({
      kind: fc.constantFrom('link', 'unlink', 'missed', 'late', 'hear', 'decide'),
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
    else if (kind === 'decide') network.decide(network.all.filter((one) => one !== who))
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
          network.decide(network.all)
        }
        expect(network.patience(1)).toBe(undefined)
      }),
    )
  })

  test('one that was late once has the time that it needed when its next turn comes', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), fc.integer({ min: 0, max: 60_000 }), (deeds, delay) => {
        const network = open(7)
        for (const each of deeds) perform(network, each)
        network.missed(1, 1000)
        network.late(1, network.height(), 1000 + delay)
        network.decide(network.all, 2)
        expect(network.patience(1) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(delay)
      }),
    )
  })
})
