import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import type { Enode } from '../enode.ts'
import { createDialer } from './dialer.ts'

const node = (n: number, port = 1000 + n): Enode => ({
  id: new Uint8Array(64).fill(n),
  ip: '10.0.0.1',
  tcpPort: port,
  udpPort: port,
})

function setUp() {
  const clock = createManualClock(0)
  const calls: { at: number; port: number }[] = []
  const connected = new Set<number>()
  const state = { free: 10, allowed: true }
  const dialer = createDialer({
    clock,
    random: (length) => new Uint8Array(length).fill(128),
    isConnected: (id) => connected.has(id[0]!),
    isAllowed: () => state.allowed,
    freeSlots: () => state.free,
    dial: (enode) => calls.push({ at: clock.now(), port: enode.tcpPort }),
  })
  return { clock, calls, connected, state, dialer, times: () => calls.map(({ at }) => at / 1000) }
}

describe('static nodes', () => {
  test('are called at once, then less and less often', () => {
    const { dialer, clock, times } = setUp()
    dialer.addStatic(node(1))
    expect(times()).toEqual([])
    dialer.start()
    clock.run(240_000)
    expect(times()).toEqual([0, 2, 6, 14, 30, 62, 122, 182])
  })

  test('are not called while connected, and soon after a loss', () => {
    const { dialer, clock, connected, times } = setUp()
    dialer.start()
    dialer.addStatic(node(1))
    connected.add(1)
    clock.run(100_000)
    expect(times()).toEqual([0])
    connected.delete(1)
    dialer.onLost(node(1).id, 100_000)
    clock.run(10_000)
    expect(times()).toEqual([0, 102, 104, 108])
  })

  test('that end connections right away are called ever less often', () => {
    const { dialer, clock, times } = setUp()
    dialer.start()
    dialer.addStatic(node(1))
    for (let i = 0; i < 5; i++) {
      dialer.onLost(node(1).id, 10)
      const count = times().length
      clock.runUntil(() => times().length > count)
    }
    expect(times()).toEqual([0, 4, 12, 28, 60, 120])
  })

  test('are not called when removed or not allowed', () => {
    const { dialer, clock, state, calls } = setUp()
    dialer.start()
    state.allowed = false
    expect(dialer.addStatic(node(1))).toBe(true)
    expect(dialer.addStatic(node(1))).toBe(false)
    expect(dialer.isStatic(node(1).id)).toBe(true)
    clock.run(10_000)
    expect(calls).toEqual([])
    state.allowed = true
    expect(dialer.removeStatic(node(1).id)).toBe(true)
    expect(dialer.removeStatic(node(1).id)).toBe(false)
    clock.run(100_000)
    expect(calls).toEqual([])
  })

  test('that moved are called at their new place', () => {
    const { dialer, calls } = setUp()
    dialer.start()
    dialer.addStatic(node(1))
    expect(dialer.addStatic(node(1, 2000))).toBe(true)
    expect(calls.map(({ port }) => port)).toEqual([1001, 2000])
  })
})

describe('found nodes', () => {
  test('are called once in half a minute, however often they are found', () => {
    const { dialer, clock, times } = setUp()
    dialer.start()
    for (let second = 0; second <= 60; second++) {
      dialer.offer(node(1))
      clock.run(1_000)
    }
    expect(times()).toEqual([0, 30, 60])
  })

  test('wait for a free place', () => {
    const { dialer, clock, state, times } = setUp()
    dialer.start()
    state.free = 0
    dialer.offer(node(1))
    clock.run(5_000)
    expect(times()).toEqual([])
    state.free = 1
    clock.run(1_000)
    expect(times()).toEqual([6])
  })

  test('that do not listen are not called, and not all are remembered', () => {
    const { dialer, clock, state, calls } = setUp()
    dialer.start()
    dialer.offer(node(1, 0))
    state.free = 0
    for (let n = 0; n < 600; n++) dialer.offer({ ...node(1), id: new Uint8Array(64).fill(n & 255).fill(n >> 8, 1) })
    state.free = 1000
    clock.run(1_000)
    expect(calls.length).toBe(256)
  })

  test('nobody is called after the end', () => {
    const { dialer, clock, calls } = setUp()
    dialer.start()
    dialer.stop()
    dialer.offer(node(1))
    dialer.addStatic(node(2))
    clock.run(100_000)
    expect(calls).toEqual([])
  })
})
