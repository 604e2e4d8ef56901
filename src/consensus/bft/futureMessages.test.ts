import { expect, test } from 'vitest'
import { defaultMessageLimits } from '../../forks/consensusConfig.ts'
import { createFutureMessages, type RawMessage } from './futureMessages.ts'

const message = (code: number): RawMessage => ({ code, data: Uint8Array.of(code), from: undefined })
const codes = (list: readonly RawMessage[]) => list.map(({ code }) => code)

test('hands out what came for a height, in order and once', () => {
  const future = createFutureMessages(defaultMessageLimits)
  for (const code of [1, 2]) future.add(7n, message(code), 5n, true)
  future.add(6n, message(3), 5n, true)
  expect(codes(future.take(7n))).toEqual([1, 2])
  expect(future.take(7n)).toEqual([])
  expect(future.take(6n)).toEqual([])
})

test('takes nothing from too far ahead', () => {
  const future = createFutureMessages({ ...defaultMessageLimits, futureMessagesMaxDistance: 2 })
  future.add(7n, message(1), 5n, true)
  future.add(8n, message(2), 5n, true)
  expect(codes(future.take(7n))).toEqual([1])
  expect(future.take(8n)).toEqual([])
})

test('when it is full the highest height goes, and the oldest message where there is one height', () => {
  const future = createFutureMessages({ ...defaultMessageLimits, futureMessagesLimit: 3 })
  for (const code of [1, 2]) future.add(6n, message(code), 5n, true)
  for (const code of [3, 4]) future.add(7n, message(code), 5n, true)
  for (const code of [5, 6]) future.add(6n, message(code), 5n, true)
  expect(future.take(7n)).toEqual([])
  for (const code of [1, 2, 5, 6]) future.add(8n, message(code), 7n, true)
  expect(codes(future.take(8n))).toEqual([2, 5, 6])
})
