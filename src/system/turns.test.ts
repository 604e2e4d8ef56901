import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

function setUp() {
  let time = 0
  const turns = createTurns(() => time)
  const done: string[] = []
  const work = (name: string, milliseconds: number) => () => {
    time += milliseconds
    done.push(name)
    return name
  }
  return { turns, done, work }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('short work runs at once, whatever follows long work waits for its turn, in order', async () => {
  const { turns, done, work } = setUp()
  expect(turns.run(work('a', 1))).toBe('a')
  expect(turns.run(work('b', 30))).toBe('b')
  const c = turns.run(work('c', 30))
  const d = turns.run(work('d', 1))
  expect(c).toBeInstanceOf(Promise)
  expect(done).toEqual(['a', 'b'])
  await turn()
  expect(done).toEqual(['a', 'b', 'c'])
  await turn()
  expect([await c, await d]).toEqual(['c', 'd'])
  expect(turns.run(work('e', 0))).toBe('e')
})

test('work that fails counts too, and does not stop what waits', async () => {
  const { turns, done, work } = setUp()
  const fail = () => {
    work('failed', 30)()
    throw new RangeError('no')
  }
  expect(() => turns.run(fail)).toThrow('no')
  const second = turns.run(fail)
  const third = turns.run(work('third', 1))
  await expect(second).rejects.toThrow('no')
  expect(await third).toBe('third')
  expect(done).toEqual(['failed', 'failed', 'third'])
})
