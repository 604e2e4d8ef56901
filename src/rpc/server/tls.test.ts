import { Agent, request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { calmState } from '../../../test/support/calmState.ts'
import { fixtureTls, tlsText } from '../../../test/support/tlsFixture.ts'
import type { Listening } from '../../http/listen.ts'
import { startHttp } from './http.ts'
import { startWs } from './ws.ts'

const common = {
  host: '127.0.0.1',
  port: 0,
  hostAllowlist: ['localhost', '127.0.0.1'],
  corsOrigins: [],
  maxConnections: 80,
  timeout: 10_000,
}
const open: Listening[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(0)))
})

const ca = tlsText('server.crt')
const long = '"é"'.repeat(200_000)

async function startSecureHttp(maxConnections = 80): Promise<Listening> {
  const health = { peerCount: () => undefined, blocksBehind: () => undefined, state: () => calmState }
  const server = await startHttp(
    { ...common, maxConnections, maxBody: 100_000, pretty: false, tls: fixtureTls() },
    {
      health,
      access: {},
      refuse: () => undefined,
      dispatch: (text) => {
        if (text === 'long') return { status: 200, body: long }
        if (text === 'pieces') return { status: 200, body: ['[', long, ']'] }
        return { status: 200, body: `"${text}"` }
      },
    },
  )
  open.push(server)
  return server
}

/** A connection that checks the certificate of the server, and all that it has received. */
async function connectTo({ port }: Listening): Promise<{ socket: TLSSocket; received: () => string }> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost', ALPNProtocols: ['http/1.1'] })
  let text = ''
  socket.on('error', () => {}).on('data', (bytes) => (text += String(bytes)))
  await new Promise((resolve) => socket.once('secureConnect', resolve))
  return { socket, received: () => text }
}

const post = (body: string, headers = '') =>
  `POST / HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`

function ask(port: number, body: string, agent: Agent, method = 'POST'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, ca, servername: 'localhost', agent }, async (response) => {
      let text = ''
      response.setEncoding('utf8')
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode!, text })
    })
    call.on('error', reject)
    call.end(body)
  })
}

test('plain requests are answered straight from the socket, and one that is not plain goes to Node’s server', async () => {
  const server = await startSecureHttp()
  const { socket, received } = await connectTo(server)
  const answers = () => received().match(/"[a-e]"/g) ?? []
  socket.write(post('a') + post('b'))
  await expect.poll(answers).toEqual(['"a"', '"b"'])
  expect(received()).not.toContain('Keep-Alive: timeout')
  socket.write(post('c', 'Connection: keep-alive\r\nTE: trailers\r\n'))
  await expect.poll(answers).toHaveLength(3)
  expect(received()).toContain('Keep-Alive: timeout')
  socket.write(post('d'))
  await expect.poll(answers).toHaveLength(4)
  socket.destroy()
})

test('long answers arrive whole, at once or in pieces', async () => {
  const { port } = await startSecureHttp()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect((await ask(port, 'long', agent)).text).toBe(long)
  expect((await ask(port, 'pieces', agent)).text).toBe(`[${long}]`)
  expect((await ask(port, '', agent, 'GET')).status).toBe(201)
  agent.destroy()
})

test('a new connection takes the place of the one that was silent for the longest time', async () => {
  const server = await startSecureHttp(2)
  const first = await connectTo(server)
  const second = await connectTo(server)
  // A client is done with its handshake before the server is: only an answer says that the server is, too.
  for (const { socket, received } of [second, first]) {
    socket.write(post('a'))
    await expect.poll(received).toContain('"a"')
  }
  const third = await connectTo(server)
  third.socket.write(post('b'))
  await expect.poll(third.received).toContain('"b"')
  await expect.poll(() => second.socket.destroyed).toBe(true)
  expect(first.socket.destroyed).toBe(false)
  for (const { socket } of [first, third]) socket.destroy()
})

test('a server that closes ends idle connections', async () => {
  const server = await startSecureHttp()
  const { socket, received } = await connectTo(server)
  socket.write(post('a'))
  await expect.poll(received).toContain('"a"')
  await server.close(600_000)
  await expect.poll(() => socket.destroyed).toBe(true)
})

test('WebSocket over TLS', async () => {
  const server = await startWs(
    { ...common, maxConnections: 1, maxMessage: 10_000, tls: fixtureTls() },
    {
      connect: () => ({
        dispatch: (text) => ({ status: 200, body: `"${text}"` }),
        // One that is idle would give way to the next one.
        isSubscribed: () => true,
        close: () => {},
      }),
      timeoutReply: '',
      access: {},
      identify: () => undefined,
    },
  )
  open.push(server)
  const client = new WebSocket(`wss://localhost:${server.port}`, { ca, host: '127.0.0.1' })
  const reply = new Promise((resolve) => client.once('message', (data) => resolve(String(data))))
  await new Promise((resolve) => client.once('open', resolve))
  client.send('hello')
  expect(await reply).toBe('"hello"')

  const beyond = new WebSocket(`wss://localhost:${server.port}`, { ca, host: '127.0.0.1' })
  await expect(new Promise((_, reject) => beyond.once('error', reject))).rejects.toThrow()
  const plain = new WebSocket(`ws://127.0.0.1:${server.port}`)
  await expect(new Promise((_, reject) => plain.once('error', reject))).rejects.toThrow()
  client.terminate()
})
