import { expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manualClock.ts'
import { createSilentLogs } from '../../test/support/silentLogs.ts'
import { createResending, type ResendingPorts } from './resending.ts'

const key = new Uint8Array(32).fill(1)

/** Sends nothing, and counts how often all payloads were looked for. */
function counting() {
  const clock = createManualClock(0)
  let count = 0
  const ports = {
    keys: [],
    clock,
    log: createSilentLogs(),
    pushing: { partyOf: () => ({ url: 'http://10.0.0.1:9000/' }) },
    groups: { pushAll: async () => {} },
    payloads: {
      async *allFor() {
        count++
        yield []
      },
    },
  }
  const resending = createResending(ports as unknown as ResendingPorts)
  return { resending, clock, count: () => count }
}

test('who is not at the address of a key has its payloads sent again now and then, its own manager at any time', async () => {
  const { resending, clock, count } = counting()
  const ask = (isOwner: boolean) => resending.pushBatches(key, 1, isOwner)
  expect(await ask(false)).toBe(0)
  for (let n = 0; n < 60; n++) await expect(ask(false)).rejects.toThrow()
  expect(await ask(true)).toBe(0)
  expect(count()).toBe(2)
  clock.run(600_000)
  expect(await ask(false)).toBe(0)
  expect(count()).toBe(3)
})

test('requests of others to send all again are dropped for a while', async () => {
  const { resending, count } = counting()
  for (let n = 0; n < 60; n++) {
    resending.pushAll(key, false)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(count()).toBe(1)
})
