import { expect, test } from 'vitest'
import { calmState } from '../../../test/support/calmState.ts'
import { stateInTime } from './stateAnswer.ts'

test('a node that hangs is said to, and not waited for', async () => {
  expect(await stateInTime({ state: () => new Promise(() => {}) }, 1)).toMatchObject({
    status: 'silent',
    level: 'error',
  })
  expect(await stateInTime({ state: async () => calmState })).toBe(calmState)
})
