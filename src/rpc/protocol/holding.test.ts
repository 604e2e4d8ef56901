import { expect, test } from 'vitest'
import type { JsonText } from '../../jsonrpc/replyText.ts'
import { holding } from './holding.ts'

function start() {
  let held = 0
  const hold = () => {
    held++
    return () => void held--
  }
  const answer = (body: JsonText) => holding(hold, { status: 200, body })
  return { hold, answer, held: () => held }
}

function* pieces() {
  yield 'a'
  yield 'b'
}

test('an answer at hand holds nothing', () => {
  const { answer, held } = start()
  expect(answer('a')).toEqual({ status: 200, body: 'a' })
  expect(held()).toBe(0)
})

test('an answer that takes its time holds until it is there', async () => {
  const { hold, held } = start()
  const answer = holding(hold, Promise.resolve({ status: 200, body: 'a' } as const))
  expect(held()).toBe(1)
  expect(await answer).toEqual({ status: 200, body: 'a' })
  expect(held()).toBe(0)
})

test('an answer in pieces holds until the last is taken, or none is wanted any more', () => {
  const { answer, held } = start()
  const [first, second] = [answer(pieces()), answer(pieces())].map((reply) => {
    const { body } = reply as { body: Iterable<string> }
    return body[Symbol.iterator]()
  })
  first!.next()
  second!.next()
  expect(held()).toBe(2)
  second!.return?.()
  expect(held()).toBe(1)
  expect([first!.next().value, first!.next().done, held()]).toEqual(['b', true, 0])
})
