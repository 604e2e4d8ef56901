import { describe, expect, test } from 'vitest'
import { sampleOf } from '../support/wholeRun.ts'
import { findSlowRecovery, worstOf } from './recoveryTable.ts'

describe.each(sampleOf(['qbft', 'ibft2'] as const, 1))('%s', (kind) => {
  test.each([1, 2, 3, 6])('%s validators go on within seconds after a minute without a quorum', (validators) => {
    const outage = { kind, validators, lasts: 60_000, restarts: false }
    for (const returns of ['one', 'all'] as const) expect(worstOf({ ...outage, returns }, 2).broken).toBeUndefined()
  })

  test('restarts, empty data folders, absent proposers, clocks and slow networks', () => {
    expect(findSlowRecovery(kind, {})).toBeUndefined()
  })
})
