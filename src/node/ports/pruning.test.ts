import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import type { HeadEvent } from '../../chain/events.ts'
import { startPruning } from './pruning.ts'

function start(keep: number) {
  const pruned: number[] = []
  let listener: ((event: HeadEvent) => void) | undefined
  const clock = createManualClock(0)
  const stop = startPruning(
    {
      onHead(added) {
        listener = added
        return () => {
          listener = undefined
        }
      },
      prune: (before) => pruned.push(before),
    },
    keep,
    clock,
  )
  const moveHead = (number: number) => listener?.({ head: { header: { number: BigInt(number) } } } as HeadEvent)
  return { pruned, clock, stop, moveHead }
}

test('states are deleted 64 blocks at a time, after the head event', () => {
  const { pruned, clock, moveHead } = start(10)
  moveHead(73)
  clock.run(1)
  expect(pruned).toEqual([])
  moveHead(74)
  expect(pruned).toEqual([])
  clock.run(1)
  expect(pruned).toEqual([64])
  for (const number of [75, 137, 138, 139]) moveHead(number)
  clock.run(1)
  expect(pruned).toEqual([64, 128])
})

test('nothing is deleted after it was stopped, nor if all states are kept', () => {
  const stopped = start(10)
  stopped.moveHead(100)
  stopped.stop()
  const all = start(0)
  all.moveHead(1000)
  for (const { clock } of [stopped, all]) clock.run(1)
  expect([stopped.pruned, all.pruned]).toEqual([[], []])
})
