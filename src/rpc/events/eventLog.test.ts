import { expect, test } from 'vitest'
import { createEventLog } from './eventLog.ts'

test('readers have positions of their own', () => {
  const log = createEventLog<string>(10)
  log.push(['a', 'b'])
  const position = log.end()
  log.push(['c'])
  expect([log.since(0), log.since(position), log.since(log.end())]).toEqual([['a', 'b', 'c'], ['c'], []])
  log.dropBefore(position)
  expect([log.since(0), log.since(position)]).toEqual([undefined, ['c']])
  log.dropBefore(0)
  expect(log.since(position)).toEqual(['c'])
})

test('only so many events are kept', () => {
  const log = createEventLog<number>(3)
  for (let n = 0; n < 100; n++) {
    log.push([n])
    expect(log.since(Math.max(0, n - 2))).toEqual([n - 2, n - 1, n].filter((one) => one >= 0))
    if (n >= 6) expect(log.since(n - 6)).toBeUndefined()
  }
})
