import { expect, test } from 'vitest'
import { createStopList } from './stopList.ts'

test('parts stop in reverse order, each after the one before has stopped, and once', async () => {
  const stops = createStopList()
  const seen: string[] = []
  stops.add(() => void seen.push('first'))
  stops.add(async () => {
    await new Promise(setImmediate)
    seen.push('second')
  })
  stops.add(() => void seen.push('third'))
  await stops.stopAll()
  await stops.stopAll()
  expect(seen).toEqual(['third', 'second', 'first'])
})

test('a part that cannot stop does not keep the others from stopping', async () => {
  const stops = createStopList()
  const seen: string[] = []
  stops.add(() => void seen.push('first'))
  stops.add(async () => {
    throw new Error('second')
  })
  await expect(stops.stopAll()).rejects.toThrow('second')
  expect(seen).toEqual(['first'])
})
