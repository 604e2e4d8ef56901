import { expect, test } from 'vitest'
import { devTx } from '../../test/support/testChain.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import type { Block } from '../types/block.ts'
import { recoverAhead } from './recoverAhead.ts'

/** A pool that notes when a recovery starts and ends, and finds no sender; it fails from recovery `failing` on. */
function notingPool(notes: string[], failing = Number.POSITIVE_INFINITY): RecoverPool {
  let count = 0
  return {
    async recover() {
      const number = ++count
      notes.push(`recover ${number}`)
      await new Promise(setImmediate)
      if (number >= failing) throw new Error('no thread')
      notes.push(`recovered ${number}`)
      return []
    },
    close: async () => {},
  }
}

/** Batches of one block each; notes when the source is closed. */
async function* source(notes: string[], count: number) {
  try {
    for (let number = 1; number <= count; number++)
      yield { number, blocks: [{ transactions: [devTx(BigInt(number))] } as unknown as Block] }
  } finally {
    notes.push('closed')
  }
}

test('the senders of a batch are recovered before it is passed on, those of the next while it is used', async () => {
  const notes: string[] = []
  for await (const { number } of recoverAhead(source(notes, 3), notingPool(notes))) notes.push(`use ${number}`)
  expect(notes.filter((note) => note !== 'closed')).toEqual([
    'recover 1',
    'recovered 1',
    'recover 2',
    'use 1',
    'recovered 2',
    'recover 3',
    'use 2',
    'recovered 3',
    'use 3',
  ])
})

test('who ends early closes the source, and a recovery that fails later troubles nobody', async () => {
  const notes: string[] = []
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  try {
    for await (const { number } of recoverAhead(source(notes, 3), notingPool(notes, 2))) if (number === 1) break
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  } finally {
    process.off('unhandledRejection', onUnhandled)
  }
  expect(notes).toContain('closed')
  expect(unhandled).toEqual([])
})

test('a recovery that fails ends the batches', async () => {
  const used: number[] = []
  const batches = recoverAhead(source([], 3), notingPool([], 2))
  await expect(async () => {
    for await (const { number } of batches) used.push(number)
  }).rejects.toThrow('no thread')
  expect(used).toEqual([1])
})
