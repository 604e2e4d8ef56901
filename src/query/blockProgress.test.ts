import { beforeEach, expect, test } from 'vitest'
import type { ChainView } from '../chain/view.ts'
import type { Host } from '../evm/host.ts'
import { createMovingState } from '../execution/tracing/movingState.ts'
import type { Block } from '../types/block.ts'
import { noChanges } from '../types/stateChanges.ts'
import { type BlockProgress, createBlockProgress } from './blockProgress.ts'

const chain = {} as ChainView
const block = {} as Block
let progress: BlockProgress
let runs: [start: number, end: number][]

beforeEach(() => {
  progress = createBlockProgress()
  runs = []
})

function goTo(index: number, where = { chain, block }): void {
  const parentState = createMovingState({} as Host)
  progress.stateBefore(where.chain, where.block, index, parentState, (_, start) => {
    runs.push([start, index])
    return noChanges
  })
}

test('a later transaction goes on from where the last one was', () => {
  for (const index of [2, 5, 5, 9]) goTo(index)
  expect(runs).toEqual([
    [0, 2],
    [2, 5],
    [5, 9],
  ])
})

test('an earlier transaction, another block and another view start afresh', () => {
  goTo(5)
  goTo(4)
  goTo(6, { chain, block: {} as Block })
  goTo(7, { chain: {} as ChainView, block })
  expect(runs.map(([start]) => start)).toEqual([0, 0, 0, 0])
})

test('a run that fails moves nothing', () => {
  goTo(3)
  const fail = () =>
    progress.stateBefore(chain, block, 8, createMovingState({} as Host), () => {
      throw new Error('stopped')
    })
  expect(fail).toThrow('stopped')
  goTo(4)
  expect(runs.at(-1)).toEqual([3, 4])
})
