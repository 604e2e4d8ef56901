import { expect, test } from 'vitest'
import { defaultMessageLimits } from '../../forks/consensusConfig.ts'
import { toAddress } from '../../primitives/bytes.ts'
import { createFutureMessages, type RawMessage } from './futureMessages.ts'

const message = (code: number): RawMessage => ({ code, data: Uint8Array.of(code), from: undefined })
const proposal = 0
const codes = (list: readonly RawMessage[]) => list.map(({ code }) => code)

test('hands out what came for a height, in order and once', () => {
  const future = createFutureMessages(defaultMessageLimits, proposal)
  for (const code of [1, 2]) future.add(7n, message(code), 5n, true)
  future.add(6n, message(3), 5n, true)
  expect(codes(future.take(7n))).toEqual([1, 2])
  expect(future.take(7n)).toEqual([])
  expect(future.take(6n)).toEqual([])
})

test('takes nothing from too far ahead', () => {
  const future = createFutureMessages({ ...defaultMessageLimits, futureMessagesMaxDistance: 2 }, proposal)
  future.add(7n, message(1), 5n, true)
  future.add(8n, message(2), 5n, true)
  expect(codes(future.take(7n))).toEqual([1])
  expect(future.take(8n)).toEqual([])
})

test('when it is full the highest height goes, and the oldest message where there is one height', () => {
  const future = createFutureMessages({ ...defaultMessageLimits, futureMessagesLimit: 3 }, proposal)
  for (const code of [1, 2]) future.add(6n, message(code), 5n, true)
  for (const code of [3, 4]) future.add(7n, message(code), 5n, true)
  for (const code of [5, 6]) future.add(6n, message(code), 5n, true)
  expect(future.take(7n)).toEqual([])
  for (const code of [1, 2, 5, 6]) future.add(8n, message(code), 7n, true)
  expect(codes(future.take(8n))).toEqual([2, 5, 6])
})

/** A message of as many bytes, from one of several senders. */
const long = (code: number, bytes: number, sender = 1): RawMessage => ({
  code,
  data: new Uint8Array(bytes).fill(code + 1),
  from: toAddress(new Uint8Array(20).fill(sender)),
})
const mebibyte = 1 << 20

test.each([1.2, 8.5, 15.9])('a proposal of %s MiB waits for its height, with the messages that follow it', (size) => {
  const future = createFutureMessages(defaultMessageLimits, proposal)
  future.add(11n, long(proposal, size * mebibyte), 10n, true)
  for (const code of [1, 2]) future.add(11n, long(code, 200), 10n, true)
  expect(codes(future.take(11n))).toEqual([proposal, 1, 2])
})

test('of too much from one sender the nearest heights and the last proposal stay', () => {
  const future = createFutureMessages(defaultMessageLimits, proposal)
  for (const height of [12n, 11n, 13n]) future.add(height, long(proposal, 8 * mebibyte + Number(height)), 10n, true)
  future.add(11n, long(3, 9 * mebibyte), 10n, true)
  expect([11n, 12n, 13n].map((height) => codes(future.take(height)))).toEqual([[proposal, 3], [], []])
  const few = createFutureMessages({ ...defaultMessageLimits, futureMessagesLimit: 3 }, proposal)
  for (const code of [proposal, 1, 2, 3]) few.add(11n, message(code), 10n, true)
  expect(codes(few.take(11n))).toEqual([proposal, 2, 3])
})

test('what several send is kept once, and once from each', () => {
  const future = createFutureMessages(defaultMessageLimits, proposal)
  for (const sender of [1, 2, 2]) future.add(11n, long(proposal, mebibyte, sender), 10n, true)
  const [first, second, ...more] = future.take(11n)
  expect(second!.data === first!.data).toBe(true)
  expect(more).toEqual([])
})

test('a node that is no validator takes little room', () => {
  const future = createFutureMessages(defaultMessageLimits, proposal)
  future.add(11n, long(proposal, mebibyte), 10n, false)
  future.add(11n, long(1, 200), 10n, false)
  expect(codes(future.take(11n))).toEqual([1])
})
