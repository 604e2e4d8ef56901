import { expect, test } from 'vitest'
import type { HashedHeader } from '../../chain/view.ts'
import { zeroHash } from '../../primitives/bytes.ts'
import { blankHeader } from '../../types/header.ts'
import type { BftEffect, FindForeign } from './machine.ts'
import { createSilence } from './silence.ts'

interface World {
  /** The last height at which the process before has signed. */
  readonly before: bigint
  readonly findForeign?: FindForeign | undefined
  readonly from?: bigint
}

const headAt = (number: bigint): HashedHeader => ({ header: { ...blankHeader, number }, hash: zeroHash })
const signedAt = (closedHeight: bigint) => ({ closedHeight, record: undefined })

/** The silence of one of four validators. */
function open({ before, findForeign = () => undefined, from = 1n }: World) {
  const effects: BftEffect[] = []
  const silence = createSilence(
    {
      findForeign,
      from,
      requestTimeoutSeconds: 10,
      timingAt: () => ({
        blockPeriodSeconds: 2,
        blockPeriodMilliseconds: undefined,
        emptyBlockPeriodSeconds: undefined,
      }),
      emit: (effect) => void effects.push(effect),
    },
    signedAt(before),
  )
  let signed = before
  /** Follows a head; returns whether nothing is said on it, and takes part if something may be. */
  function on(number: bigint, isMine = false): boolean {
    silence.follow(headAt(number))
    const isSilent = silence.holdsOn(headAt(number), { validators: 4, isMine }, signedAt(signed))
    if (!isSilent) signed = number + 1n
    return isSilent
  }
  const waits = () =>
    effects.splice(0).flatMap((effect) => (effect.type === 'timer' && 'after' in effect.due ? [effect.due.after] : []))
  return { silence, effects, on, waits, sign: (height: bigint) => (signed = height) }
}

test('who was away for a block listens for two heights, and waits for no more than two periods', () => {
  const { on, waits } = open({ before: 10n })
  expect([on(11n), on(12n), on(13n)]).toEqual([true, true, false])
  expect(waits()).toEqual([4000, 4000])
})

test.each([9n, 10n])('who has missed nothing speaks at once: %i', (head) => {
  expect(open({ before: 10n }).on(head)).toBe(false)
})

test('a network that stands still with all its validators does not wait for the end of their listening', () => {
  const { silence, on } = open({ before: 5n })
  expect(on(10n)).toBe(true)
  silence.relent()
  expect([on(10n), on(11n)]).toEqual([false, false])
})

test('all begin at the first height of an engine', () => {
  expect(open({ before: 0n, from: 101n }).on(100n)).toBe(false)
  expect(open({ before: 0n, from: 101n }).on(101n)).toBe(true)
  expect(open({ before: 0n }).on(0n)).toBe(false)
})

test('who was cut off for more than two turns of all listens, too, and once', () => {
  const { on } = open({ before: 9n })
  expect([on(9n), on(17n), on(27n), on(28n), on(29n), on(30n)]).toEqual([false, false, true, true, false, false])
})

test('the first word after a silence is not a proposal', () => {
  const { on } = open({ before: 10n })
  expect([on(11n), on(12n), on(13n, true), on(14n), on(15n, true)]).toEqual([true, true, true, false, false])
})

test('words of another are a reason while one has not spoken for long', () => {
  const { silence, on, effects, waits } = open({ before: 10n })
  expect(on(10n)).toBe(false)
  // What the process before may have said comes again.
  expect(silence.hear(10n, 4)).toBe(false)
  expect([silence.hear(11n, 4), silence.hear(11n, 4)]).toEqual([true, false])
  expect(effects).toEqual([{ type: 'silence', upTo: 16n, because: 11n }])
  expect([on(11n), on(15n), on(16n)]).toEqual([true, true, false])
  expect(waits()).toEqual([40_000, 40_000])
  for (let head = 17n; head <= 30n; head++) on(head)
  expect(silence.hear(31n, 4)).toBe(false)
})

test('where the key is guarded nobody listens', () => {
  const effects: BftEffect[] = []
  const parts = {
    requestTimeoutSeconds: 10,
    timingAt: () => ({ blockPeriodSeconds: 2, blockPeriodMilliseconds: undefined, emptyBlockPeriodSeconds: undefined }),
    emit: (effect: BftEffect) => void effects.push(effect),
  }
  const silence = createSilence(parts, signedAt(0n))
  silence.follow(headAt(10n))
  expect(silence.holdsOn(headAt(10n), { validators: 4, isMine: false }, signedAt(0n))).toBe(false)
  expect(silence.hear(11n, 4)).toBe(false)
  expect(effects).toEqual([])
})
