import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createRepeats, type Echo } from './repeats.ts'

const end = '\r\n\r\n'
const bodyOf = (id: unknown) => `{"id":${id},"x":1}`
const request = (id: unknown, token = 'a') =>
  Buffer.from(`POST / HTTP/1.1\r\nAuthorization: ${token}${end}${bodyOf(id)}`)
const replyOf = (id: unknown, text = 'ä') => `HTTP/1.1 200 OK${end}{"id":${id},"result":"${text}"}`
const fromStart: Echo = { at: request(1).indexOf(end) + 4 + 6, length: 1, replyAt: 6 }
const fromEnd: Echo = { at: -8, length: 1, replyAt: 6 }

function open() {
  const version = new Int32Array(new SharedArrayBuffer(4))
  let now = 1000
  const repeats = createRepeats(version, () => now)
  const answer = (of: Buffer, echo = fromStart) => {
    const written: Buffer[] = []
    const socket = new PassThrough()
    const isKnown = repeats.answer(of, echo, socket as never)
    // In some versions of Node, one read brings a single piece.
    for (let bytes = socket.read(); bytes; bytes = socket.read()) written.push(bytes)
    return isKnown ? String(Buffer.concat(written)) : undefined
  }
  const keep = (echo = fromStart, more = {}) =>
    repeats.keep(1, request(7), { content: replyOf(7), encoding: 'utf8' }, echo, {
      version: version[0]!,
      until: 2000,
      ...more,
    })
  return { repeats, version, answer, keep, setTime: (time: number) => void (now = time) }
}

test.each([
  ['start', fromStart],
  ['end', fromEnd],
])('the number of the request, found from its %s, is echoed', (_, echo) => {
  const { answer, keep } = open()
  keep(echo)
  expect(answer(request(7), echo)).toBe(replyOf(7))
  expect(answer(request(3), echo)).toBe(replyOf(3))
  expect(answer(request(0), echo)).toBe(replyOf(0))
})

test('bytes are repeated as they are, whatever becomes of their memory', () => {
  const { repeats, answer } = open()
  const bytes = new Uint8Array(Buffer.from(replyOf(7, 'é'.repeat(5000))))
  repeats.keep(1, request(7), { content: bytes, encoding: 'latin1' }, fromStart, { version: 0, until: 2000 })
  bytes.fill(0)
  expect(answer(request(4))).toBe(replyOf(4, 'é'.repeat(5000)))
})

test('without a number, the request must be the same', () => {
  const { answer, keep } = open()
  const echo = { at: 0, length: 0, replyAt: 0 }
  keep(echo)
  expect(answer(request(7), echo)).toBe(replyOf(7))
  expect(answer(request(3), echo)).toBeUndefined()
})

test.each([
  ['another header', request(7, 'b')],
  ['a longer number', request(17)],
  ['no number', request('x')],
  ['a sign', request('-')],
  ['a part of a request', request(7).subarray(0, -1)],
  ['more than a request', Buffer.concat([request(7), request(7)])],
  ['nothing', Buffer.alloc(0)],
])('a request with %s is not answered', (_, other) => {
  const { answer, keep } = open()
  keep()
  expect(answer(other)).toBeUndefined()
  expect(answer(request(7))).toBe(replyOf(7))
})

test('nothing is repeated after the time of a reply', () => {
  const { answer, keep, setTime } = open()
  keep()
  setTime(1999)
  expect(answer(request(7))).toBe(replyOf(7))
  setTime(2000)
  expect(answer(request(7))).toBeUndefined()
})

test('nothing is repeated after a change of the version, nor is what comes late of an earlier one', () => {
  const { version, answer, keep } = open()
  keep()
  Atomics.add(version, 0, 1)
  expect(answer(request(7))).toBeUndefined()
  keep(fromStart, { version: 0 })
  expect(answer(request(7))).toBeUndefined()
  keep()
  expect(answer(request(7))).toBe(replyOf(7))
})

test('a reply that does not echo the number, or is long, is not kept', () => {
  const { repeats, answer } = open()
  const keep = (content: string) =>
    repeats.keep(1, request(7), { content, encoding: 'utf8' }, fromStart, { version: 0, until: 2000 })
  keep(replyOf(8))
  expect(answer(request(7))).toBeUndefined()
  keep(replyOf(7, 'x'.repeat(300_000)))
  expect(answer(request(7))).toBeUndefined()
})

test('a reply is replaced for the next version, and for that only', () => {
  const { repeats, version, answer, keep } = open()
  keep()
  Atomics.add(version, 0, 1)
  repeats.renew(1, replyOf(7, 'new'), { version: 1, until: 2000 })
  expect(answer(request(3))).toBe(replyOf(3, 'new'))
  Atomics.add(version, 0, 2)
  repeats.renew(1, replyOf(7, 'newer'), { version: 3, until: 2000 })
  expect(answer(request(3))).toBe(replyOf(3, 'newer'))
  Atomics.add(version, 0, 1)
  keep(fromEnd, { version: 4 })
  Atomics.add(version, 0, 1)
  // It was not replaced for version 4.
  repeats.renew(2, replyOf(7), { version: 5, until: 2000 })
  expect(answer(request(3))).toBeUndefined()
})

test('how often each reply was repeated is told once', () => {
  const { repeats, answer, keep } = open()
  keep()
  answer(request(1))
  answer(request(2))
  expect(repeats.takeCounts()).toEqual([1, 2])
  expect(repeats.takeCounts()).toEqual([])
  answer(request(3))
  expect(repeats.takeCounts()).toEqual([1, 1])
})
