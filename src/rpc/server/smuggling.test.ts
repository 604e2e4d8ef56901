import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calmState } from '../../../test/support/calmState.ts'
import type { Listening } from '../../http/listen.ts'
import { createSubscriptions } from '../events/subscriptions.ts'
import type { RpcPorts } from '../protocol/context.ts'
import { serveHttp, serveWs } from './serve.ts'

const ports: RpcPorts = { client: { version: 'quoin/test', networkId: 2018n }, peers: undefined }
const common = {
  host: '127.0.0.1',
  port: 0,
  namespaces: ['ETH', 'NET', 'WEB3'],
  maxBatch: 1024,
  hostAllowlist: ['localhost'],
  corsOrigins: ['http://friend\\.example'],
  maxConnections: 80,
  timeout: 300_000,
  gasCap: 50_000_000n,
}
const onInternalError = (error: unknown) => expect.fail(String(error))
let http: Listening
let ws: Listening
beforeAll(async () => {
  const health = { peerCount: () => undefined, blocksBehind: () => undefined, state: () => calmState }
  http = await serveHttp({ ...common, maxBody: 5_242_880, pretty: false }, { ports, health, onInternalError })
  ws = await serveWs(
    { ...common, maxMessage: 4_194_304 },
    { ports, onInternalError, openSession: createSubscriptions({}) },
  )
})
afterAll(async () => {
  await http.close(0)
  await ws.close(0)
})

/** Sends bytes as they are; returns all that comes until the server closes the connection. */
function talk({ port }: Listening, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (data) => (heard += data.toString('latin1')))
    socket.on('close', () => resolve(heard))
    socket.on('error', reject)
    // Anyone who keeps the connection open reads the end of it; node's server answers what it has until then.
    socket.write(text, 'latin1', () => socket.end())
  })
}

const call = '{"jsonrpc":"2.0","id":1,"method":"net_version","params":[]}'
const hidden = '{"jsonrpc":"2.0","id":666,"method":"net_version","params":[]}'
const length = `Content-Length: ${call.length}`
const host = 'Host: localhost'
/** A second request in what a proxy could take for the body of the first. */
const second = `POST / HTTP/1.1\r\n${host}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`
const chunked = `${call.length.toString(16)}\r\n${call}\r\n0\r\n\r\n`
const post = (headers: readonly string[], body: string, end = '\r\n') =>
  ['POST / HTTP/1.1', ...headers, '', body].join(end)

const shapes: readonly (readonly [what: string, text: string])[] = [
  ['a length and an encoding', post([host, length, 'Transfer-Encoding: chunked'], chunked)],
  ['an encoding and a length', post([host, 'Transfer-Encoding: chunked', 'Content-Length: 4'], chunked)],
  ['an encoding that is not the last', post([host, 'Transfer-Encoding: chunked, identity'], chunked)],
  ['an encoding in other words', post([host, 'Transfer-Encoding: xchunked'], chunked)],
  ['two encodings', post([host, 'Transfer-Encoding: identity', 'Transfer-Encoding: xchunked'], chunked)],
  ['two lengths', post([host, length, 'Content-Length: 0'], call)],
  ['two equal lengths', post([host, length, length], call)],
  ['a list of lengths', post([host, `Content-Length: ${call.length}, 0`], call)],
  ['a negative length', post([host, 'Content-Length: -1'], call)],
  ['a length with a sign', post([host, `Content-Length: +${call.length}`], call)],
  ['a hexadecimal length', post([host, 'Content-Length: 0x3b'], call)],
  ['a length that is no number', post([host, 'Content-Length: x'], call)],
  ['a blank before the colon', post([host, `Content-Length : ${call.length}`], call)],
  ['a name with a blank', post([host, `Content Length: ${call.length}`], call)],
  ['a folded header', post([host, 'X: a', ' b', length], call)],
  ['a first header that is folded', post([' X: a', host, length], call)],
  ['a header that ends with CR alone', post([`${host}\rX: a`, length], call)],
  ['a value with a zero byte', post([host, 'X: a\0b', length], call)],
  ['a header without a colon', post([host, 'X', length], call)],
  ['a chunk with a wrong length', post([host, 'Transfer-Encoding: chunked'], `1\r\n${call}\r\n0\r\n\r\n`)],
  ['a chunk with a sign', post([host, 'Transfer-Encoding: chunked'], `+3b\r\n${call}\r\n0\r\n\r\n`)],
  ['two hosts', post([host, 'Host: evil.example', length], call)],
  ['two equal hosts', post([host, host, length], call)],
]

describe('a request that two readers could read differently', () => {
  test.each(shapes)('with %s is refused, and nothing after it is read', async (_, text) => {
    const heard = await talk(http, text + second)
    expect(heard).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(heard).not.toContain('"result"')
  })
  test.each(shapes)('with %s is refused after one that was answered', async (_, text) => {
    const heard = await talk(http, post([host, length], call) + text + second)
    expect(heard).toContain('"id":1,"result"')
    expect(heard.split('"result"')).toHaveLength(2)
    expect(heard).not.toContain('666')
  })
  test.each(['0.9', '2.0'])('version %s is refused', async (version) => {
    const other = post([host, length], call).replace('HTTP/1.1', `HTTP/${version}`)
    expect(await talk(http, other)).toMatch(/^HTTP\/1\.1 505 /)
    const heard = await talk(http, second + other)
    expect(heard.split('"result"')).toHaveLength(2)
    expect(heard).toContain('HTTP/1.1 505 ')
  })
  test('but two requests that are clear are both answered', async () => {
    expect((await talk(http, post([host, length], call) + second)).split('"result"')).toHaveLength(3)
  })
})

const upgrade = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==',
]
const shake = (...headers: readonly string[]) => ['GET / HTTP/1.1', ...headers, ...upgrade, '', ''].join('\r\n')

describe('a page of another origin', () => {
  test.each([
    ['under a name that leads here', post(['Host: evil.example', length], call)],
    ['under such a name with a port', post(['Host: evil.example:8545', length], call)],
    ['under no name', post([length], call)],
  ])('%s is refused over HTTP', async (_, text) => {
    const heard = await talk(http, text)
    expect(heard).toMatch(/^HTTP\/1\.1 403 /)
    expect(heard).not.toContain('"result"')
  })
  test.each([
    ['under a name that leads here', shake('Host: evil.example')],
    ['under two names', shake(host, 'Host: evil.example')],
    ['under no name', shake()],
    ['with its origin', shake(host, 'Origin: http://evil.example')],
    ['with the origin of a sandbox', shake(host, 'Origin: null')],
    ['with an origin that begins as one that is allowed', shake(host, 'Origin: http://friend.example.evil')],
  ])('%s is refused over WebSocket', async (_, text) => {
    expect(await talk(ws, text)).toMatch(/^HTTP\/1\.1 403 /)
  })
  test('is let in over WebSocket if it is allowed', async () => {
    expect(await talk(ws, shake(host, 'Origin: http://friend.example'))).toMatch(/^HTTP\/1\.1 101 /)
  })
  test.each([
    ['of another name', ['Host: evil.example']],
    ['of another origin', [host, 'Origin: http://evil.example']],
  ])('%s cannot log in at the port of WebSocket', async (_, headers) => {
    const text = ['POST /login HTTP/1.1', ...headers, 'Content-Length: 2', 'Connection: close', '', '{}'].join('\r\n')
    expect(await talk(ws, text)).toMatch(/^HTTP\/1\.1 403 /)
  })
})
