import { expect, test } from 'vitest'
import { runInTurns, runSteps, type Steps } from './steps.ts'

/** Steps that take longer than a turn each. */
function* slowSteps(count: number, done: number[]): Steps<string> {
  for (let i = 0; i < count; i++) {
    const end = performance.now() + 4
    while (performance.now() < end);
    done.push(i)
    yield
  }
  return 'result'
}

test('all steps at once', () => {
  const done: number[] = []
  expect([runSteps(slowSteps(2, done)), done]).toEqual(['result', [0, 1]])
})

test('a turn of the event loop comes between slow steps', async () => {
  const done: number[] = []
  const doneAtTurns: number[] = []
  const result = runInTurns(slowSteps(3, done), async () => void doneAtTurns.push(done.length))
  expect(done).toEqual([0])
  expect(await result).toBe('result')
  expect(doneAtTurns).toEqual([1, 2, 3])
})
