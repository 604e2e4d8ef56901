import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { maxSending } from '../../http/readInTurns.ts'
import type { StoredText } from '../../primitives/longText.ts'
import { writePlainReply } from './plainReply.ts'

/** A socket whose client takes everything at once. */
function createGreedySocket() {
  let sent = ''
  const socket = new Writable({
    write(chunk, _, done) {
      sent += String(chunk)
      done()
    },
  }) as unknown as Socket
  return { socket, sent: () => sent }
}

const head = [
  'HTTP/1.1 200 OK',
  'Content-Type: application/json',
  'Vary: origin',
  'Connection: keep-alive',
  'Transfer-Encoding: chunked\r\n\r\n',
].join('\r\n')

test('a client that takes a long response at once does not keep everything else waiting', async () => {
  const { socket, sent } = createGreedySocket()
  function* pieces(): Generator<string> {
    for (let i = 0; i < 8; i++) {
      const end = performance.now() + maxSending / 2
      while (performance.now() < end);
      yield 'ab'
    }
  }
  let isDone = false
  const body = pieces()
  const done = new Promise<void>((resolve) => {
    isDone = writePlainReply(socket, { status: 200, body }, false, resolve)
  })
  expect(isDone).toBe(false)
  await done
  expect(sent()).toBe(`${head}${'2\r\nab\r\n'.repeat(8)}0\r\n\r\n`)
})

test('a response that is not kept in memory is sent as bytes', async () => {
  const { socket, sent } = createGreedySocket()
  const body: StoredText = {
    [Symbol.iterator]: () => {
      throw new Error('read as text')
    },
    async *readBytes() {
      yield Buffer.from('"ä')
      yield Buffer.from('b"')
    },
  }
  await new Promise<void>((resolve) => writePlainReply(socket, { status: 200, body }, true, resolve))
  expect(sent()).toBe(`${head}3\r\n"ä\r\n2\r\nb"\r\n0\r\n\r\n`)
})
