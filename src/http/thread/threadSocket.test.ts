import { expect, test } from 'vitest'
import { type Content, ordered, reported } from './events.ts'
import { createThreadSocket } from './threadSocket.ts'

const maxUnsent = 256 * 1024

function open() {
  const told: (readonly [kind: number, content: Content])[] = []
  const errors: Error[] = []
  const made = createThreadSocket(7, '127.0.0.1 1234', (id, kind, content) => {
    expect(id).toBe(7)
    told.push([kind, content])
  })
  made.socket.on('error', (error) => errors.push(error))
  return { ...made, told, errors }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('what is written together goes as one piece', () => {
  const { socket, told } = open()
  socket.cork()
  socket.write('head ', 'latin1')
  socket.write(Buffer.from('body'))
  socket.write(' ä', 'utf8')
  socket.uncork()
  expect(told).toEqual([[ordered.bytes, Buffer.from('head body ä')]])
})

test('short texts go as they are, long ones as bytes', () => {
  const { socket, told } = open()
  const long = 'é'.repeat(10_000)
  socket.write('short', 'latin1')
  socket.write('kurz')
  socket.write(long, 'latin1')
  expect(told).toEqual([
    [ordered.latin1, 'short'],
    [ordered.utf8, 'kurz'],
    [ordered.bytes, Buffer.from(long, 'latin1')],
  ])
})

test('a writer that waits goes on once, however often the thread reports', async () => {
  const { socket, handle, told, errors } = open()
  let written = 0
  for (let n = 0; n < 4; n++) socket.write(Buffer.alloc(maxUnsent / 2), () => written++)
  await turn()
  expect([written, told.length]).toEqual([1, 2])
  for (let n = 0; n < 4; n++) {
    handle(reported.sent, maxUnsent / 2)
    await turn()
  }
  expect(written).toBe(4)
  handle(reported.sent, 0)
  await turn()
  expect(errors).toEqual([])
  expect(socket.destroyed).toBe(false)
})
