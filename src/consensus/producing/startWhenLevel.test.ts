import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { type Address, zeroAddress } from '../../primitives/bytes.ts'
import type { Standing } from '../validatorNetwork.ts'
import type { Producer } from './producer.ts'
import { startWhenLevel } from './startWhenLevel.ts'

function open(mustMeet = true) {
  const clock = createManualClock(0)
  const events: string[] = []
  let isRunning = false
  const inner: Producer = {
    protocols: [],
    isRunning: () => isRunning,
    start() {
      isRunning = true
      events.push('start')
    },
    stop() {
      isRunning = false
      events.push('stop')
    },
    receive: (_, code) => void events.push(`message ${code}`),
    onLink: () => void events.push('link'),
    roundStatus: () => undefined,
    proposers: () => ({ silent: [peer], flaws: [] }),
  }
  let standing: Standing = 'alone'
  const producer = startWhenLevel(inner, { clock, network: { standing: () => standing }, mustMeet: () => mustMeet })
  const be = (now: Standing, milliseconds: number) => {
    standing = now
    clock.run(milliseconds)
  }
  return { producer, events, be }
}

const peer: Address = zeroAddress

test('it starts when a peer is known and none is ahead, and gets what came before', () => {
  const { producer, events, be } = open()
  producer.start()
  producer.onLink!(peer)
  producer.receive!('istanbul', 1, new Uint8Array(), peer)
  expect([producer.isRunning(), events]).toEqual([true, []])
  be('alone', 60_000)
  be('behind', 3000)
  expect(events).toEqual([])
  be('level', 200)
  expect(events).toEqual(['start', 'link', 'message 1'])
  producer.receive!('istanbul', 2, new Uint8Array(), peer)
  expect(events.at(-1)).toBe('message 2')
})

test('one that only claims to be ahead is not waited for', () => {
  const { producer, events, be } = open()
  producer.start()
  be('behind', 10_000)
  expect(events).toEqual(['start'])
})

test('what is stopped does not start, and starts again', () => {
  const { producer, events, be } = open()
  producer.start()
  producer.stop()
  be('level', 1000)
  expect([producer.isRunning(), events]).toEqual([false, ['stop']])
  producer.start()
  expect(events).toEqual(['stop', 'start'])
})

test('who need not meet others starts at once', () => {
  const { producer, events } = open(false)
  producer.start()
  expect(events).toEqual(['start'])
})

test('what it knows of the others is told, also whose proposals are wrong', () => {
  const { producer } = open(false)
  producer.start()
  expect(producer.roundStatus!()).toBeUndefined()
  expect(producer.proposers!()).toEqual({ silent: [peer], flaws: [] })
})
