import { describe, expect, test } from 'vitest'
import { sampled, sampleOf } from '../support/wholeRun.ts'
import { limpFaults } from './ailing.ts'
import { limp } from './limp.ts'
import { worstLimpOf } from './limpTable.ts'
import { turnTrades } from './turnMutants.ts'

const seeds = sampled(1, 2)

describe.each(sampleOf(['qbft', 'ibft2'] as const, 1))('%s', (kind) => {
  test.each(sampleOf(limpFaults, 3))(
    'a validator of four is not well (%s), and the others go on as before',
    (fault) => {
      expect(worstLimpOf({ kind, validators: 4, requestTimeoutSeconds: 10, fault }, seeds).broken).toBeUndefined()
    },
  )

  test.each(sampleOf(limpFaults, 1))('two of seven (%s)', (fault) => {
    expect(worstLimpOf({ kind, validators: 7, requestTimeoutSeconds: 4, fault }, seeds).broken).toBeUndefined()
  })
})

/** Blocks that the rule may cost where others do not follow it: a wait now and then, to see whether they do. */
const maxLoss = 0.06

test.each(sampleOf(['dead', 'slow after a pause', 'stuttering', 'clock -5 s'] as const, 1))(
  'where two of four wait for the timeout (one is %s), the others are no worse than they',
  (fault) => {
    const terms = { kind: 'qbft', validators: 4, requestTimeoutSeconds: 10, besus: 2, fault } as const
    expect(limp(terms, 1).share).toBeGreaterThan(limp(terms, 1, turnTrades['waitsForTheAbsent']).share - maxLoss)
  },
)

describe.each(sampleOf([250, 500, 900], 1))('a block every %i ms', (period) => {
  test.each(sampleOf(['qbft', 'ibft2'] as const, 1))('%s keeps its pace while one of four is away', (kind) => {
    const terms = { kind, validators: 4, requestTimeoutSeconds: 2, period } as const
    expect(limp({ ...terms, fault: 'dead' }, 1).share).toBeGreaterThan(0.94)
    expect(limp({ ...terms, fault: 'impatient' }, 1).share).toBeGreaterThan(0.99)
  })
})

test('where blocks take longer than a period, one that is away costs little more', () => {
  const terms = { kind: 'qbft', validators: 4, requestTimeoutSeconds: 2, period: 100 } as const
  const share = (fault: 'impatient' | 'dead') => limp({ ...terms, fault }, 1).share
  expect(share('dead')).toBeGreaterThan(0.7 * share('impatient'))
})

test('if who does not follow is not needed, nobody waits', () => {
  const terms = { kind: 'qbft', validators: 4, requestTimeoutSeconds: 10, besus: 1, fault: 'dead' } as const
  // With this seed it is the one that is dead.
  expect(limp(terms, 7).share).toBeGreaterThan(0.95)
})

const shownBy = {
  waitsForTheAbsent: 'hung',
  skipsOnOneWord: 'impatient',
  skipsTheLiving: 'slow after a pause',
  neverReturns: 'dead',
  skipsTwice: 'dead',
  invalidIsNoProof: 'invalid blocks',
} as const

test.each(sampleOf(Object.entries(shownBy), 2))('%s is found', (name, fault) => {
  const terms = { kind: 'qbft', validators: 4, requestTimeoutSeconds: 10, fault } as const
  expect(worstLimpOf(terms, 2, turnTrades[name]).broken).toBeDefined()
})
