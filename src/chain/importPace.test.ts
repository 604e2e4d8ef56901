import { expect, test } from 'vitest'
import { createImportPace } from './importPace.ts'

function pacesAfter(maxTime: number): number[] {
  const pace = createImportPace({ firstBlocks: 3, maxBlocks: 10, maxTime })
  return Array.from({ length: 4 }, () => {
    const blocks = pace.blocks()
    pace.measure(() => {})
    return blocks
  })
}

test('doubles after quick transactions, up to its bound', () =>
  expect(pacesAfter(Number.POSITIVE_INFINITY)).toEqual([3, 6, 10, 10]))

test('halves after slow transactions, down to one block', () => expect(pacesAfter(-1)).toEqual([3, 1, 1, 1]))
