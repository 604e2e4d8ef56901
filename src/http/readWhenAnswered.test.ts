import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readBytes } from './requestBody.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A client that sends all requests at once over one connection to a server that answers when the test says so. */
async function pipeline(count: number, bytes: number) {
  const taken: { readonly size: number; readonly response: ServerResponse }[] = []
  const server = createServer((request, response) =>
    readBytes(request, response, 10_000_000, (body) => taken.push({ size: body.length, response })),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk))
  for (let i = 0; i < count; i++)
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes + i}\r\n\r\n${'x'.repeat(bytes + i)}`)
  closing.push(() => {
    socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  const replies = () => text.split('HTTP/1.1 200').length - 1
  return { taken, replies }
}

test('large bodies of a connection are read one after another', async () => {
  const { taken, replies } = await pipeline(4, 300_000)
  for (let i = 0; i < 4; i++) {
    await expect.poll(() => taken.length).toBe(i + 1)
    // Those that follow would be here by now, had they been read.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(taken.map(({ size }) => size)).toEqual(Array.from({ length: i + 1 }, (_, n) => 300_000 + n))
    taken[i]!.response.end('done')
    await expect.poll(replies).toBe(i + 1)
  }
})

test('small bodies of a connection do not wait for each other', async () => {
  const { taken } = await pipeline(5, 1000)
  await expect.poll(() => taken.length).toBe(5)
})
