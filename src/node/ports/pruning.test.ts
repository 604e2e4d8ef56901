import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import type { HeadEvent } from '../../chain/events.ts'
import { type Kept, startPruning } from './pruning.ts'

/** A chain on which each slice deletes as much as `slice` says. */
function start(kept: Kept, slices = 1) {
  const pruned: [what: string, before: number][] = []
  const listeners = new Set<(event: HeadEvent) => void>()
  const clock = createManualClock(0)
  const left = new Map<string, number>()
  const prune = (what: string) => (before: number) => {
    pruned.push([what, before])
    const missing = (left.get(`${what} ${before}`) ?? slices) - 1
    left.set(`${what} ${before}`, missing)
    return missing === 0
  }
  const chain = {
    onHead(added: (event: HeadEvent) => void) {
      listeners.add(added)
      return () => void listeners.delete(added)
    },
    prune: prune('states'),
    pruneBlocks: prune('blocks'),
  }
  const stop = startPruning({ chain, clock, log: createSilentLogs().child('pruning') }, kept)
  const moveHead = (number: number) => {
    for (const listener of listeners) listener({ head: { header: { number: BigInt(number) } } } as HeadEvent)
  }
  return { pruned, clock, stop, moveHead }
}

test.each(['states', 'blocks'])('%s are deleted 64 blocks at a time, after the head event', (what) => {
  const { pruned, clock, moveHead } = start({ states: 0, blocks: 0, [what]: 10 })
  moveHead(73)
  clock.run(1)
  expect(pruned).toEqual([])
  moveHead(74)
  expect(pruned).toEqual([])
  clock.run(1)
  expect(pruned).toEqual([[what, 64]])
  for (const number of [75, 137, 138, 139]) moveHead(number)
  clock.run(1)
  expect(pruned).toEqual([
    [what, 64],
    [what, 128],
  ])
})

test('what takes long is done in slices, and later heads wait for it', () => {
  const { pruned, clock, moveHead } = start({ states: 0, blocks: 10 }, 3)
  moveHead(100)
  for (let number = 101; number < 300; number++) moveHead(number)
  clock.run(1)
  expect(pruned).toEqual(Array.from({ length: 3 }, () => ['blocks', 90]))
  moveHead(300)
  clock.run(1)
  expect(pruned).toHaveLength(6)
  expect(pruned.at(-1)).toEqual(['blocks', 290])
})

test('nothing is deleted after it was stopped, nor if all is kept', () => {
  const stopped = start({ states: 10, blocks: 10 })
  stopped.moveHead(100)
  stopped.stop()
  const all = start({ states: 0, blocks: 0 })
  all.moveHead(1000)
  for (const { clock } of [stopped, all]) clock.run(1)
  expect([stopped.pruned, all.pruned]).toEqual([[], []])
})
