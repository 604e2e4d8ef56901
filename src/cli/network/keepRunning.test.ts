import { expect, test } from 'vitest'
import { keepRunning } from './keepRunning.ts'
import type { NodeProcess } from './nodeProcess.ts'

/** A node whose processes are ended by hand, at a clock that is set by hand. */
function createKept() {
  const processes: { running: boolean }[] = []
  const clock = { now: 0 }
  let answers = false
  const node = keepRunning({
    enode: 'enode://aa@127.0.0.1:1',
    now: () => clock.now,
    ask: async () => (answers ? { head: 7, peers: 3 } : undefined),
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
  }
}

test('a node that exits is started again, each time later, and the reason is shown', async () => {
  const { node, clock, starts, end, answer } = createKept()
  expect(await node.look()).toEqual({ state: 'starting' })
  answer()
  expect(await node.look()).toEqual({ state: 'up', head: 7, peers: 3 })
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
