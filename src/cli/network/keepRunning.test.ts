import { expect, test } from 'vitest'
import { calmState } from '../../../test/support/calmState.ts'
import { keepRunning } from './keepRunning.ts'
import type { NodeProcess } from './nodeProcess.ts'

/** A node whose processes are ended by hand, at a clock that is set by hand. */
function createKept() {
  const processes: { running: boolean }[] = []
  const clock = { now: 0 }
  let answers = false
  const node = keepRunning({
    address: calmState.address,
    now: () => clock.now,
    ask: async () => (answers ? calmState : undefined),
    start(): NodeProcess {
      const own = { running: true }
      processes.push(own)
      return {
        url: '',
        pid: 0,
        isRunning: () => own.running,
        exitReason: () => 'exit code 1: disk full',
        stop: async () => {
          own.running = false
        },
      }
    },
  })
  return {
    node,
    clock,
    starts: () => processes.length,
    end: () => (processes.at(-1)!.running = false),
    answer: () => (answers = true),
    hang: () => (answers = false),
  }
}

test('a node that exits is started again, each time later, and the reason is shown', async () => {
  const { node, clock, starts, end, answer } = createKept()
  expect(await node.look()).toEqual({ state: 'starting' })
  answer()
  expect(await node.look()).toEqual({ state: 'up', network: calmState })
  for (const delay of [1000, 2000, 4000]) {
    end()
    const before = starts()
    expect(await node.look()).toEqual({ state: 'down', reason: 'exit code 1: disk full', restartsIn: delay })
    clock.now += delay - 1
    expect(await node.look()).toMatchObject({ state: 'down', restartsIn: 1 })
    expect(starts()).toBe(before)
    clock.now++
    expect(await node.look()).toMatchObject({ state: 'up' })
    expect(starts()).toBe(before + 1)
  }
  clock.now += 60_000
  end()
  expect(await node.look()).toMatchObject({ restartsIn: 1000 })
})

test('a node that hangs is named as silent, for how long', async () => {
  const { node, clock, answer, hang } = createKept()
  answer()
  await node.look()
  hang()
  clock.now += 2999
  expect(await node.look()).toMatchObject({ state: 'up' })
  clock.now += 9001
  expect(await node.look()).toEqual({ state: 'silent', seconds: 12 })
  answer()
  expect(await node.look()).toMatchObject({ state: 'up' })
})

test('a node that never answers is given up after three exits', async () => {
  const { node, clock, end } = createKept()
  for (const delay of [1000, 2000, 4000]) {
    expect(node.isHopeless()).toBe(false)
    await node.look()
    end()
    await node.look()
    clock.now += delay
  }
  expect(node.isHopeless()).toBe(true)
})
