import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { calmState } from '../../../test/support/calmState.ts'
import type { Listening } from '../../http/listen.ts'
import type { RpcPorts } from '../protocol/context.ts'
import type { Reply } from '../protocol/dispatcher.ts'
import type { HealthPort } from './health.ts'
import { startHttp } from './http.ts'
import { type HttpServeOptions, serveHttp } from './serve.ts'

const defaults: HttpServeOptions = {
  host: '127.0.0.1',
  port: 0,
  namespaces: ['ETH', 'NET', 'WEB3'],
  maxBatch: 1024,
  hostAllowlist: ['localhost', '127.0.0.1'],
  corsOrigins: [],
  maxConnections: 80,
  maxBody: 5242880,
  timeout: 300_000,
  gasCap: 50_000_000n,
  pretty: false,
}
const ports: RpcPorts = { client: { version: 'quoin/test', networkId: 2018n }, peers: undefined }
const inSync: HealthPort = { peerCount: () => undefined, blocksBehind: () => undefined, state: () => calmState }
/** Nobody has to authenticate. */
const unguarded = {
  health: inSync,
  access: {},
  refuse: () => undefined,
}
const open: Listening[] = []

async function start(options: Partial<HttpServeOptions> = {}, health = inSync): Promise<Listening> {
  const onInternalError = (error: unknown) => expect.fail(String(error))
  const server = await serveHttp({ ...defaults, ...options }, { ports, health, onInternalError })
  open.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(0)))
})

interface Ask {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string | Buffer
}
interface Got {
  status: number
  reason: string
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  text: string
}

/** Connections that are kept are served straight from the socket as far as they can be, others by node's server. */
let agent: Agent | false = false

function ask({ port }: Listening, { method = 'POST', path = '/', headers = {}, body }: Ask = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const { statusCode, statusMessage, headers } = response
        resolve({ status: statusCode!, reason: statusMessage!, headers, bytes, text: bytes.toString() })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

const version = '{"jsonrpc":"2.0","id":1,"method":"net_version","params":[]}'
const versionReply = '{"jsonrpc":"2.0","id":1,"result":"2018"}'

describe.each([
  ['closed after each call', () => false as const],
  ['kept', () => new Agent({ keepAlive: true, maxSockets: 1 })],
])('over connections that are %s', (_, createAgent) => {
  beforeEach(() => {
    agent = createAgent()
  })
  afterEach(() => {
    if (agent) agent.destroy()
    agent = false
  })

  test('a call is answered as JSON, whatever its content type', async () => {
    const server = await start()
    for (const headers of [
      {},
      { 'content-type': 'text/plain' },
      { accept: 'application/*' },
      { authorization: 'Bearer x' },
    ]) {
      const got = await ask(server, { body: version, headers })
      expect([got.status, got.text]).toEqual([200, versionReply])
      expect(got.headers).toMatchObject({ 'content-type': 'application/json', vary: 'origin' })
    }
  })

  test.each<[string, Ask, number, string]>([
    ['GET /', { method: 'GET' }, 201, ''],
    ['PUT /', { method: 'PUT', body: version }, 405, ''],
    ['DELETE /', { method: 'DELETE' }, 405, ''],
    ['OPTIONS /', { method: 'OPTIONS' }, 405, ''],
    ['HEAD /', { method: 'HEAD' }, 405, ''],
    ['another path', { path: '/foo', body: version }, 404, '<html><body><h1>Resource not found</h1></body></html>'],
    ['//', { path: '//', body: version }, 200, versionReply],
    ['/?a=1', { path: '/?a=1', body: version }, 200, versionReply],
    ['an Accept without JSON', { headers: { accept: 'text/html' }, body: version }, 406, ''],
    ['POST /login', { path: '/login', body: version }, 400, ''],
    ['POST /liveness', { path: '/liveness', body: version }, 405, ''],
    ['no body', {}, 400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'],
    ['a notification', { body: '{"method":"net_version"}' }, 200, ''],
    [
      'bytes that are no UTF-8',
      { body: Buffer.from([...Buffer.from('{"id":"'), 0xff, ...Buffer.from('","method":"net_version"}')]) },
      400,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    ],
    [
      'U+FFFD itself',
      { body: '{"id":"\ufffd","method":"net_version"}' },
      200,
      '{"jsonrpc":"2.0","id":"\ufffd","result":"2018"}',
    ],
  ])('%s', async (_, sent, status, text) => {
    const got = await ask(await start(), sent)
    expect([got.status, got.text]).toEqual([status, text])
  })

  test.each([
    ['localhost:1', true],
    ['LOCALHOST', true],
    ['127.0.0.1', true],
    ['example.org', false],
    ['[::1]:8545', false],
    ['localhost:x', false],
  ])('Host %s', async (host, allowed) => {
    const server = await start()
    for (const path of ['/', '/liveness']) {
      const got = await ask(server, { method: 'GET', path, headers: { host } })
      if (allowed) expect(got.status).toBe(path === '/' ? 201 : 200)
      else expect([got.status, got.text]).toEqual([403, '{"message":"Host not authorized."}'])
    }
  })

  test('any host when the list says so', async () => {
    const server = await start({ hostAllowlist: ['*'] })
    expect((await ask(server, { body: version, headers: { host: 'example.org' } })).status).toBe(200)
  })

  test('without a CORS list every origin is refused', async () => {
    const got = await ask(await start(), { body: version, headers: { origin: 'http://127.0.0.1' } })
    expect([got.status, got.reason, got.text]).toEqual([
      403,
      'CORS Rejected - Invalid origin',
      'Exception thrown handling RPC',
    ])
  })

  test('origins match as a whole; preflights are answered', async () => {
    const server = await start({ corsOrigins: ['http://a\\.test', 'http://b.*'] })
    const preflight = { 'access-control-request-method': 'POST' }
    const origin = 'http://a.test'
    const call = await ask(server, { body: version, headers: { origin } })
    expect([call.text, call.headers['access-control-allow-origin']]).toEqual([versionReply, origin])
    const asked = await ask(server, { method: 'OPTIONS', headers: { origin, ...preflight } })
    expect(asked.status).toBe(204)
    expect(asked.headers['access-control-allow-headers']).toBe('*,content-type')
    const stranger = await ask(server, { method: 'OPTIONS', headers: { origin: 'http://a.test.evil', ...preflight } })
    expect(stranger.status).toBe(403)
  })

  test('a body beyond the limit is refused, the one before is not', async () => {
    const server = await start({ maxBody: 1000 })
    const padded = (length: number) => version.padEnd(length, ' ')
    expect((await ask(server, { body: padded(1000) })).status).toBe(200)
    const got = await ask(server, { body: padded(3_000_000) })
    expect([got.status, got.text]).toEqual([413, 'Request Entity Too Large'])
    const chunked = await ask(server, { body: padded(1001), headers: { 'transfer-encoding': 'chunked' } })
    expect(chunked.status).toBe(413)
  })

  test('a body that is announced as too large is refused before it is sent', async () => {
    const server = await start()
    for (const expects of ['', 'Expect: 100-continue\r\n']) {
      const head = `POST / HTTP/1.1\r\nHost: localhost\r\n${expects}Content-Length: 99999999999\r\n\r\n`
      const text = await talk(server.port, [head], 'Too Large')
      expect(text).toContain('HTTP/1.1 413')
      expect(text).not.toContain('100 Continue')
    }
    const wanted = `POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${version.length}\r\n\r\n`
    expect(await talk(server.port, [wanted, version], versionReply)).toMatch(
      /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/,
    )
  })

  test.each([
    ['two hosts', 'Host: evil.com\r\nHost: 127.0.0.1\r\n', 400],
    ['the same host twice', 'Host: 127.0.0.1\r\nhost: 127.0.0.1\r\n', 400],
    ['201 headers', `Host: 127.0.0.1\r\n${Array.from({ length: 199 }, (_, i) => `X-${i}: 1\r\n`).join('')}`, 431],
    ['17 KB of headers', `Host: 127.0.0.1\r\nX: ${'x'.repeat(17_000)}\r\n`, 431],
    ['15 KB of headers', `Host: 127.0.0.1\r\nX: ${'x'.repeat(15_000)}\r\n`, 200],
  ])('%s', async (_, headers, status) => {
    const server = await start()
    const request = `POST / HTTP/1.1\r\n${headers}Content-Length: ${version.length}\r\n\r\n${version}`
    expect(await talk(server.port, [request], '\r\n\r\n')).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
  })

  test('long answers are compressed for those who ask', async () => {
    const server = await start()
    const call = '{"id":1,"method":"rpc_discover"}'
    const body = `[${call},${call}]`
    const plain = await ask(server, { body })
    const packed = await ask(server, { body, headers: { 'accept-encoding': 'gzip, deflate' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text)
    const refused = await ask(server, { body, headers: { 'accept-encoding': 'gzip;q=0' } })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  test('pretty answers', async () => {
    const got = await ask(await start({ pretty: true }), { body: version })
    expect(got.text).toBe('{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "result": "2018"\n}')
  })

  test('rpc_modules names the namespaces, rpc_discover their methods only', async () => {
    const server = await start({ namespaces: ['WEB3'] })
    const modules = await ask(server, { body: '{"id":1,"method":"rpc_modules"}' })
    expect(JSON.parse(modules.text).result).toEqual({ web3: '1.0' })
    const document = JSON.parse((await ask(server, { body: '{"id":1,"method":"rpc_discover"}' })).text).result
    expect(document.methods.map(({ name }: { name: string }) => name)).toEqual([
      'rpc_discover',
      'rpc_modules',
      'web3_clientVersion',
      'web3_sha3',
    ])
  })

  test.each<[string, Omit<HealthPort, 'state'>, boolean]>([
    ['', inSync, true],
    ['', { peerCount: () => 0, blocksBehind: () => undefined }, false],
    ['', { peerCount: () => 1, blocksBehind: () => undefined }, true],
    ['?minPeers=0', { peerCount: () => 0, blocksBehind: () => undefined }, true],
    ['?minPeers=x', { peerCount: () => 9, blocksBehind: () => undefined }, false],
    ['', { peerCount: () => 1, blocksBehind: () => 3n }, false],
    ['?maxBlocksBehind=3', { peerCount: () => 1, blocksBehind: () => 3n }, true],
    ['?maxBlocksBehind=x', inSync, true],
    ['?maxBlocksBehind=x', { peerCount: () => 1, blocksBehind: () => 1n }, false],
  ])('readiness%s', async (query, health, up) => {
    const server = await start({}, { ...inSync, ...health })
    const got = await ask(server, { method: 'GET', path: `/readiness${query}` })
    expect([got.status, JSON.parse(got.text)]).toEqual(up ? [200, { status: 'UP' }] : [503, { status: 'DOWN' }])
    expect((await ask(server, { method: 'GET', path: '/liveness' })).status).toBe(200)
  })

  test('/health is the whole verdict, with status 503 where something is wrong', async () => {
    const get = async (state: HealthPort['state']) =>
      ask(await start({}, { ...inSync, state }), { method: 'GET', path: '/health' })
    const good = await get(() => calmState)
    expect([good.status, JSON.parse(good.text)]).toEqual([200, calmState])
    expect((await get(() => ({ ...calmState, level: 'warning' }))).status).toBe(200)
    const bad = await get(() => ({ ...calmState, status: 'standing', level: 'error' }))
    expect([bad.status, JSON.parse(bad.text).status]).toEqual([503, 'standing'])
    expect((await ask(await start(), { path: '/health' })).status).toBe(405)
  })
})

function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}

const wholeRequest = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${version.length}\r\n\r\n${version}`
const closing = (socket: Socket) => new Promise((resolve) => socket.on('close', resolve).on('error', resolve))
const firstData = (socket: Socket) => new Promise((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))

describe('beyond the limit of connections', () => {
  test.each([
    ['idle', ''],
    ['half a header', wholeRequest.slice(0, 30)],
    ['half a body', wholeRequest.slice(0, -5)],
    ['half a body for node', wholeRequest.slice(0, -5).replace('Host', 'Expect: 100-continue\r\nHost')],
  ])('a new one takes the place of the one that was silent longest: %s', async (_, sent) => {
    const server = await start({ maxConnections: 2 })
    const [silent, active] = [await dial(server.port), await dial(server.port)]
    silent.write(sent)
    const gone = closing(silent.resume())
    // The second answer comes after the server has read what the silent one sent.
    for (let i = 0; i < 2; i++) {
      active.write(wholeRequest)
      expect(await firstData(active)).toContain(versionReply)
    }
    const third = await dial(server.port)
    await gone
    for (const socket of [third, active]) {
      socket.write(wholeRequest)
      expect(await firstData(socket)).toContain(versionReply)
      socket.destroy()
    }
  })

  test.each([
    ['plain', wholeRequest],
    ['by node', wholeRequest.replace('Host', 'TE: trailers\r\nHost')],
  ])('those that wait for an answer stay: %s', async (_, request) => {
    const answers: ((reply: Reply) => void)[] = []
    const dispatch = () => new Promise<Reply>((resolve) => answers.push(resolve))
    const server = await startHttp({ ...defaults, maxConnections: 2 }, { ...unguarded, dispatch })
    open.push(server)
    const waiting = [await dial(server.port), await dial(server.port)]
    for (const socket of waiting) socket.write(request)
    await expect.poll(() => answers.length).toBe(2)
    await closing(connect(server.port, '127.0.0.1'))
    for (const answer of answers) answer({ status: 200, body: versionReply })
    for (const socket of waiting) {
      expect(await firstData(socket)).toContain(versionReply)
      socket.destroy()
    }
  })
})

test('calls sent without waiting are answered in order', async () => {
  const server = await start()
  const socket = await dial(server.port)
  const calls = Array.from({ length: 50 }, (_, id) => `{"id":${id},"method":"net_version"}`)
  socket.write(
    calls.map((call) => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${call.length}\r\n\r\n${call}`).join(''),
  )
  let text = ''
  await new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      text += String(bytes)
      if (text.includes('"id":49')) resolve()
    })
  })
  expect([...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))).toEqual(calls.map((_, id) => id))
  socket.destroy()
})

test('a client that breaks off in the middle disturbs nobody', async () => {
  const server = await start()
  for (let i = 0; i < 50; i++) {
    const socket = await dial(server.port)
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{"id":')
    socket.destroy()
  }
  expect((await ask(server, { body: version })).text).toBe(versionReply)
})

/** Sends pieces of a request one by one and gives all that comes back up to the given text. */
async function talk(port: number, pieces: readonly (string | Buffer)[], until: string): Promise<string> {
  const socket = await dial(port)
  socket.setNoDelay(true)
  let text = ''
  const done = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      text += String(bytes)
      if (text.includes(until)) resolve()
    })
    socket.on('close', () => resolve())
  })
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await done
  socket.destroy()
  return text
}

const post = (body: string, headers = '') =>
  `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`
const idsIn = (text: string) => [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))
const call = (id: number) => `{"id":${id},"method":"net_version"}`

test('a request may come in any number of pieces', async () => {
  const { port } = await start()
  const text = post(call(1))
  for (const cuts of [[10], [60], [5, 40, 70], [...text].map((_, i) => i).filter((i) => i % 9 === 0)]) {
    const pieces = [...cuts, text.length].map((cut, i) => text.slice(i ? cuts[i - 1] : 0, cut))
    expect(await talk(port, pieces, '"2018"')).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*"result":"2018"}$/)
  }
})

test('a request that is out of the ordinary may come between others', async () => {
  const { port } = await start({ corsOrigins: ['http://a.test'] })
  const odd = [
    post(call(2), 'Origin: http://a.test\r\n'),
    post(call(2), 'Transfer-Encoding: identity\r\n').replace(/Transfer.*\r\n/, ''),
    `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${call(2).length.toString(16)}\r\n${call(2)}\r\n0\r\n\r\n`,
    post(call(2), 'Expect: 100-continue\r\n'),
    post(call(2)).replace('POST / ', 'POST //?x '),
    post(call(2), 'X-Long:   spaced out \t \r\n'),
  ]
  for (const request of odd) {
    const text = await talk(port, [post(call(1)) + request + post(call(3))], '"id":3')
    expect(idsIn(text), request).toEqual([1, 2, 3])
  }
})

test.each([
  ['a bare line feed', 'POST / HTTP/1.1\nHost: localhost\n\n'],
  ['a folded header', post('', 'X: a\r\n b\r\n')],
  ['a control character', post('', 'X: a\u0001\r\n')],
  ['two lengths', post('{}', 'Content-Length: 5\r\n')],
  ['a length with a sign', post('').replace('Content-Length: 0', 'Content-Length: +0')],
  ['no protocol at all', 'hello\r\n\r\n'],
])('%s is left to the strict parser', async (_, request) => {
  const { port } = await start()
  expect(await talk(port, [request], 'Bad Request')).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
})

test('a long list is streamed to those who read it', async () => {
  const { port } = await start({ namespaces: ['WEB3'], maxBatch: 0 })
  const item = '{"id":1,"method":"web3_clientVersion"}'
  const body = `[${Array(20_000).fill(item).join(',')}]`
  const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })
  expect(await response.json()).toHaveLength(20_000)
})

test('a call that takes too long ends with 504', async () => {
  const never = () => new Promise<never>(() => {})
  const server = await startHttp({ ...defaults, timeout: 20 }, { ...unguarded, dispatch: never })
  open.push(server)
  for (const headers of [{}, { connection: 'keep-alive' }] as Record<string, string>[])
    expect((await ask(server, { body: version, headers })).status).toBe(504)
})

test('answers that take their time come in the order of the calls', async () => {
  const pending: ((reply: Reply) => void)[] = []
  const dispatch = (text: string) =>
    text.includes('slow')
      ? new Promise<Reply>((resolve) => pending.push(resolve))
      : { status: 200 as const, body: text }
  const server = await startHttp(defaults, { ...unguarded, dispatch })
  open.push(server)
  const answer = talk(server.port, [post('"slow"') + post('"fast"'), post('"last"')], '"last"')
  await expect.poll(() => pending.length).toBe(1)
  pending[0]!({ status: 200, body: '"done"' })
  expect([...(await answer).matchAll(/"(\w+)"/g)].map(([, word]) => word)).toEqual(['done', 'fast', 'last'])
})

test('closing lets a call that is under way finish', async () => {
  let finish: ((reply: Reply) => void) | undefined
  const dispatch = () => new Promise<Reply>((resolve) => (finish = resolve))
  const server = await startHttp(defaults, { ...unguarded, dispatch })
  const idle = await dial(server.port)
  const ended = new Promise((resolve) => idle.on('close', resolve))
  const answer = talk(server.port, [post('1')], '"done"')
  await expect.poll(() => finish).toBeDefined()
  const closed = server.close(5000)
  await ended
  finish!({ status: 200, body: '"done"' })
  expect(await answer).toContain('"done"')
  await closed
})
