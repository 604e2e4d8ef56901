import { request as httpRequest } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Listening } from '../../http/listen.ts'
import { listEncoder } from '../codecs/list.ts'
import { quantity } from '../codecs/quantity.ts'
import { json, text } from '../codecs/text.ts'
import { createSubscriptions, maxSubscriptions, type SubscriptionKind } from '../events/subscriptions.ts'
import { createDispatcher } from '../protocol/dispatch.ts'
import { wsTransport } from '../protocol/dispatcher.ts'
import { RpcError } from '../protocol/fault.ts'
import { method, optionalParam, param } from '../protocol/method.ts'
import { startWs, type WsOptions } from './ws.ts'

const defaults: WsOptions = {
  host: '127.0.0.1',
  port: 0,
  hostAllowlist: ['localhost', '127.0.0.1'],
  corsOrigins: [],
  maxConnections: 80,
  maxMessage: 4_194_304,
  timeout: 300_000,
}

const emitters = new Set<(text: string) => void>()
const ticks: SubscriptionKind = {
  start(options, emit) {
    if (options === 'bad') throw new RpcError({ code: 'INVALID_REQUEST' })
    emitters.add(emit)
    return () => emitters.delete(emit)
  },
}
const anything = { schema: {}, decode: (value: unknown) => value }
/** How many results without an end are being read. */
let endless = 0
function* endlessPieces(): Generator<string> {
  endless++
  try {
    for (;;) yield '"'.padEnd(10_000)
  } finally {
    endless--
  }
}
const methods = [
  method({
    name: 'eth_endless',
    doc: '',
    needs: [],
    params: [],
    result: { ...text, stream: endlessPieces },
    handler: () => '',
  }),
  method({ name: 'eth_hello', doc: '', needs: [], params: [], result: text, handler: () => 'hello' }),
  method({
    name: 'eth_slow',
    doc: '',
    needs: [],
    params: [],
    result: text,
    handler: () => new Promise<string>(() => {}),
  }),
  method({
    name: 'eth_long',
    doc: '',
    needs: [],
    params: [],
    result: listEncoder(text),
    handler: () => Array.from({ length: 100_000 }, (_, i) => `item ${i}`),
  }),
  method({
    name: 'eth_follow',
    doc: '',
    needs: ['session'],
    params: [param('kind', text), optionalParam('options', anything)],
    result: quantity,
    handler: ({ session }, [kind, options]) => session.subscribe(kind, options),
  }),
  method({
    name: 'eth_leave',
    doc: '',
    needs: ['session'],
    params: [param('id', quantity)],
    result: json<boolean>({}),
    handler: ({ session }, [id]) => session.unsubscribe(id),
  }),
]
const dispatcher = createDispatcher({
  methods,
  knownNames: new Set(),
  namespaces: ['ETH'],
  transport: wsTransport(0),
  faults: () => undefined,
  onInternalError: (error) => expect.fail(String(error)),
})

const open: Listening[] = []
async function start(options: Partial<WsOptions> = {}): Promise<Listening> {
  const openSession = createSubscriptions({ ticks })
  const server = await startWs(
    { ...defaults, ...options },
    {
      access: {},
      identify: () => undefined,
      connect(send) {
        const session = openSession(send)
        return {
          dispatch: (request) => dispatcher.dispatch(request, { session }),
          isSubscribed: () => session.count() > 0,
          close: session.close,
        }
      },
      timeoutReply: '"late"',
    },
  )
  open.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(0)))
  emitters.clear()
})

async function dial({ port }: Listening, headers: Record<string, string> = {}, path = '/'): Promise<WebSocket> {
  const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, maxPayload: 0 })
  await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject))
  return client
}
const next = (client: WebSocket) =>
  new Promise<string>((resolve) => client.once('message', (data) => resolve(String(data))))
function call(client: WebSocket, request: string | Buffer): Promise<string> {
  client.send(request)
  return next(client)
}
const closed = (client: WebSocket) =>
  new Promise<number>((resolve) => client.on('close', resolve).on('error', () => {}))

test('text, binary, batches, any path', async () => {
  const client = await dial(await start(), {}, '/any/path')
  const reply = '{"jsonrpc":"2.0","id":1,"result":"hello"}'
  expect(await call(client, '{"id":1,"method":"eth_hello"}')).toBe(reply)
  expect(await call(client, Buffer.from('{"id":1,"method":"eth_hello"}'))).toBe(reply)
  expect(await call(client, '[{"id":1,"method":"eth_hello"},{"method":"eth_hello"}]')).toBe(`[${reply}]`)
  expect(await call(client, '[]')).toBe('[]')
  expect(JSON.parse(await call(client, '')).error.code).toBe(-32600)
  expect(JSON.parse(await call(client, 'nonsense')).error.code).toBe(-32700)
})

test('a notification is not answered', async () => {
  const client = await dial(await start())
  client.send('{"method":"eth_hello"}')
  expect(JSON.parse(await call(client, '{"id":2,"method":"eth_hello"}')).id).toBe(2)
})

test('browsers connect from the origins that are allowed, programs from anywhere', async () => {
  const closedServer = await start()
  await expect(dial(closedServer, { origin: 'http://evil.com' })).rejects.toThrow('403')
  await expect(dial(closedServer, { origin: 'null' })).rejects.toThrow('403')
  await dial(closedServer)
  const server = await start({ corsOrigins: ['https://wallet\\.org'] })
  await dial(server, { origin: 'https://wallet.org' })
  await expect(dial(server, { origin: 'https://wallet.org.evil.com' })).rejects.toThrow('403')
  await dial(await start({ corsOrigins: ['*'] }), { origin: 'http://evil.com' })
})

test('strangers are refused in the handshake', async () => {
  const server = await start()
  await expect(dial(server, { host: 'example.org' })).rejects.toThrow('403')
})

test('plain HTTP is told so', async () => {
  const { port } = await start()
  const got = await new Promise((resolve) =>
    httpRequest({ host: '127.0.0.1', port, method: 'POST' }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve([response.statusCode, body]))
    }).end('{}'),
  )
  expect(got).toEqual([400, "Websocket endpoint can't handle HTTP requests"])
})

test('a message beyond the limit ends the connection, not the server', async () => {
  const server = await start({ maxMessage: 1000 })
  const client = await dial(server)
  const end = closed(client)
  client.send(' '.repeat(1001))
  expect(await end).toBe(1009)
  expect(await call(await dial(server), '{"id":1,"method":"eth_hello"}')).toContain('hello')
})

test('a long result arrives whole, and nothing comes between its frames', async () => {
  const client = await dial(await start())
  await call(client, '{"id":1,"method":"eth_follow","params":["ticks"]}')
  const messages: string[] = []
  const done = new Promise<void>((resolve) =>
    client.on('message', (data) => {
      messages.push(String(data))
      if (messages.length === 3) resolve()
    }),
  )
  client.send('{"id":2,"method":"eth_long"}')
  client.send('{"id":3,"method":"eth_hello"}')
  while (emitters.size === 0 || messages.length === 0) {
    for (const emit of emitters) emit('1')
    await new Promise((resolve) => setImmediate(resolve))
    if (messages.length > 0) break
  }
  await done
  for (const message of messages) JSON.parse(message)
  const long = messages.map((message) => JSON.parse(message)).find(({ id }) => id === 2)
  expect(long.result).toHaveLength(100_000)
})

test('a client that leaves in the middle of an answer ends it', async () => {
  const client = await dial(await start())
  client.send('{"id":1,"method":"eth_endless"}')
  await expect.poll(() => endless).toBe(1)
  client.terminate()
  await expect.poll(() => endless).toBe(0)
})

test('a call that takes too long is answered for', async () => {
  const client = await dial(await start({ timeout: 20 }))
  expect(await call(client, '{"id":1,"method":"eth_slow"}')).toBe('"late"')
})

test('subscriptions: ids count up, belong to their connection and end with it', async () => {
  const server = await start()
  const [a, b] = [await dial(server), await dial(server)]
  const first = JSON.parse(await call(a, '{"id":1,"method":"eth_follow","params":["ticks"]}')).result
  const second = JSON.parse(await call(b, '{"id":1,"method":"eth_follow","params":["ticks"]}')).result
  expect([first, second]).toEqual(['0x1', '0x2'])
  const heard = [next(a), next(b)]
  for (const emit of emitters) emit('{"n":1}')
  expect(await Promise.all(heard)).toEqual(
    ['0x1', '0x2'].map(
      (id) => `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":{"n":1}}}`,
    ),
  )
  expect(await call(b, '{"id":1,"method":"eth_leave","params":["0x1"]}')).toContain('"result":false')
  expect(await call(a, '{"id":1,"method":"eth_leave","params":["0x1"]}')).toContain('"result":true')
  expect(emitters.size).toBe(1)
  b.close()
  await closed(b)
  await expect.poll(() => emitters.size).toBe(0)
})

test.each(['"nope"', '"constructor"', '"ticks","bad"'])('subscribing to %s is an invalid request', async (params) => {
  const client = await dial(await start())
  const reply = JSON.parse(await call(client, `{"id":1,"method":"eth_follow","params":[${params}]}`))
  expect(reply.error.code).toBe(-32600)
})

test('a subscriber that does not read is let go', async () => {
  const client = await dial(await start())
  await call(client, '{"id":1,"method":"eth_follow","params":["ticks"]}')
  client.pause()
  const event = JSON.stringify('x'.repeat(1 << 20))
  for (let i = 0; i < 500 && emitters.size > 0; i++) {
    for (const emit of emitters) emit(event)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(emitters.size).toBe(0)
  client.terminate()
})

test('beyond the limit of connections, the one that is idle longest and has no subscriptions gives way', async () => {
  const server = await start({ maxConnections: 3 })
  const [subscriber, idle, caller] = [await dial(server), await dial(server), await dial(server)]
  await call(subscriber, '{"id":1,"method":"eth_follow","params":["ticks"]}')
  await call(caller, '{"id":1,"method":"eth_hello"}')
  const end = closed(idle)
  const newcomer = await dial(server)
  expect(await end).toBe(1006)
  for (const client of [subscriber, caller, newcomer])
    expect(await call(client, '{"id":1,"method":"eth_hello"}')).toContain('hello')
  // Who ends its subscriptions is idle like all others.
  await call(subscriber, '{"id":1,"method":"eth_leave","params":["0x1"]}')
  for (const client of [caller, newcomer]) await call(client, '{"id":1,"method":"eth_hello"}')
  const left = closed(subscriber)
  await dial(server)
  expect(await left).toBe(1006)
})

test('a connection has so many subscriptions, and may have others when it ends some', async () => {
  const client = await dial(await start())
  const follow = '{"id":1,"method":"eth_follow","params":["ticks"]}'
  for (let i = 0; i < maxSubscriptions; i++) expect(await call(client, follow)).toContain('result')
  expect(JSON.parse(await call(client, follow)).error).toEqual({
    code: -32005,
    message: 'Too many subscriptions on this connection: unsubscribe some',
  })
  await call(client, '{"id":1,"method":"eth_leave","params":["0x1"]}')
  expect(await call(client, follow)).toContain('result')
})
