import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { limitConnections } from '../../http/connectionLimit.ts'
import type { Answer, Reply } from '../protocol/dispatcher.ts'
import { servePlainPosts } from './plainPosts.ts'

const request = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1'

/** A server whose connections may be silent forever, unless a test gives them milliseconds. */
async function start(dispatch: () => Answer, { headers = 600_000, idle = 600_000 } = {}) {
  const server = createServer()
  const end = servePlainPosts(server, {
    hostAllowed: () => true,
    maxBody: 1000,
    patience: { headers, idle, ending: 0 },
    connections: limitConnections(server, 80),
    timeout: 10_000,
    refuse: () => undefined,
    dispatch,
  })
  const accepted = once(server, 'connection')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    accepted,
    port: (server.address() as AddressInfo).port,
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    close() {
      end('all')
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a client that does not read its answer is let go', async () => {
  const server = await start(() => ({ status: 200, body: 'x'.repeat(64 << 20) }), { idle: 50 })
  const client = connect(server.port, '127.0.0.1')
  client.on('error', () => {})
  client.pause()
  client.write(request)
  await server.accepted
  await expect.poll(server.connections).toBe(0)
  client.destroy()
  await server.close()
})

test('half a header holds its place for as long as headers may take', async () => {
  const server = await start(() => ({ status: 200, body: '1' }), { headers: 50 })
  const client = connect(server.port, '127.0.0.1')
  let received = ''
  client.on('error', () => {})
  client.on('data', (bytes) => (received += bytes))
  client.write(request)
  await expect.poll(() => received).toContain('200 OK')
  client.write(request.slice(0, 30))
  await expect.poll(server.connections).toBe(0)
  client.destroy()
  await server.close()
})

test('a client that waits for its answer is not', async () => {
  let finish: ((reply: Reply) => void) | undefined
  const server = await start(() => new Promise((resolve) => (finish = resolve)), { idle: 1000 })
  const client = connect(server.port, '127.0.0.1')
  const received = new Promise<string>((resolve) => client.on('data', (bytes) => resolve(String(bytes))))
  client.write(request)
  await expect.poll(() => finish).toBeDefined()
  await new Promise((resolve) => setTimeout(resolve, 2500))
  finish!({ status: 200, body: '"at last"' })
  expect(await received).toContain('"at last"')
  client.destroy()
  await server.close()
})

test('pieces of an answer come as chunks, and a failure half way ends the connection', async () => {
  function* pieces(fails: boolean) {
    yield '["'
    yield 'é'.repeat(100_000)
    yield ''
    if (fails) throw new Error('no more')
    yield '"]'
  }
  let fails = false
  const server = await start(() => ({ status: 200, body: pieces(fails) }))
  const url = `http://127.0.0.1:${server.port}`
  const response = await fetch(url, { method: 'POST', body: '1' })
  expect(await response.json()).toEqual(['é'.repeat(100_000)])
  fails = true
  // The end of the connection may arrive before the client has looked at the head of the answer.
  const broken = fetch(url, { method: 'POST', body: '1' })
  await expect(broken.then((answer) => answer.text())).rejects.toThrow()
  await server.close()
})

test('a connection goes on after an answer in pieces that the client took at once', async () => {
  const server = await start(() => ({ status: 200, body: ['[', '1', ']'] }))
  const client = connect(server.port, '127.0.0.1')
  let received = ''
  client.on('error', () => {})
  client.on('data', (bytes) => (received += bytes))
  client.write(request + request)
  await expect.poll(() => received.split('0\r\n\r\n').length - 1).toBe(2)
  client.destroy()
  await server.close()
})
