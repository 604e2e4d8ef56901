import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { calmState } from '../../test/support/calmState.ts'
import { makeRsaKey, makeToken } from '../../test/support/tokens.ts'
import { type Authority, createAuthority } from '../auth/authority.ts'
import type { Listening } from '../http/listen.ts'
import { openPageFiles } from '../http/pageFiles.ts'
import { createSubscriptions } from '../rpc/events/subscriptions.ts'
import type { RpcPorts } from '../rpc/protocol/context.ts'
import type { Access } from '../rpc/server/gate.ts'
import { serveHttp, serveWs } from '../rpc/server/serve.ts'
import { sendState } from '../rpc/server/stateAnswer.ts'
import type { ExplorerNode } from './explorerNode.ts'
import { createLocalNode } from './localNode.ts'
import { createRemoteNode } from './remoteNode.ts'
import { serveExplorer } from './serveExplorer.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-explorer-'))
const page = join(folder, 'page')
const script = 'export const answer = 42\n'.repeat(20)
let authority: Authority
const key = makeRsaKey(join(folder, 'key.pub'))

beforeAll(async () => {
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>Explorer</title>')
  writeFileSync(join(page, 'graphiql.html'), '<!doctype html><title>GraphiQL</title>')
  writeFileSync(join(page, 'assets/main-a1b2c3d4.js'), script)
  writeFileSync(join(page, 'assets/main-a1b2c3d4.js.gz'), gzipSync(script))
  const publicKeyFile = join(folder, 'key.pub')
  const options = { server: 'HTTP', credentialsFile: undefined, publicKeyFile, algorithm: 'RS256' } as const
  authority = await createAuthority({ ...options, openMethods: [] })
})
afterAll(() => rmSync(folder, { recursive: true }))

const servers: Listening[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close(0)))
})

const ports: RpcPorts = { client: { version: 'quoin/test', networkId: 2018n }, peers: undefined }
const common = {
  namespaces: ['NET', 'WEB3'],
  maxBatch: 1024,
  gasCap: 50_000_000n,
  maxBody: 1 << 20,
  maxMessage: 1 << 20,
  maxConnections: 80,
  hostAllowlist: ['localhost', '127.0.0.1'],
  timeout: 10_000,
  pretty: false,
}
const onInternalError = (error: unknown) => expect.fail(String(error))
const openSession = createSubscriptions({})

async function startAt(nodes: readonly ExplorerNode[], access: Access = {}): Promise<string> {
  const server = await serveExplorer(
    { ...common, host: '127.0.0.1', port: 0 },
    openPageFiles(page)!,
    nodes,
    (response, authorization) =>
      sendState(response, { state: () => calmState }, { access, authorization, badStatus: 200 }),
  )
  servers.push(server)
  return `http://127.0.0.1:${server.port}/`
}

const localNode = (access = {}) =>
  createLocalNode({ ...common, name: 'alone' }, { ports, onInternalError, access, openSession }, undefined)
const start = (access = {}) => startAt([localNode(access)], access)

const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'net_version', params: [] })
const answer = { jsonrpc: '2.0', id: 1, result: '2018' }
const json = { 'Content-Type': 'application/json' }
const post = (url: string, headers: Record<string, string>, body = call) =>
  fetch(url, { method: 'POST', headers, body })

/** Sends a request as it is, which `fetch` would put right. */
function raw(url: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { port } = new URL(url)
    const sent = request({ host: '127.0.0.1', port, path, headers, method }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve({ status: response.statusCode!, text }))
    })
    sent.on('error', reject).end(method === 'POST' ? call : undefined)
  })
}

/** The first message after a call over WebSocket; the status if the connection is refused. */
function askWs(url: string, protocols: readonly string[] = [], headers: Record<string, string> = {}) {
  return new Promise<unknown>((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws'), [...protocols], { headers })
    socket.on('open', () => socket.send(call))
    socket.on('message', (data) => {
      resolve({ protocol: socket.protocol, ...JSON.parse(String(data)) })
      socket.close()
    })
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode))
    socket.on('error', () => {})
  })
}

test('the page is served with a strict policy', async () => {
  const url = await start()
  const response = await fetch(url)
  expect([response.status, await response.text()]).toEqual([200, '<!doctype html><title>Explorer</title>'])
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
  const editor = await fetch(`${url}graphiql.html`)
  expect(editor.headers.get('content-security-policy')).toContain("style-src 'self' 'unsafe-inline'")
  const again = await fetch(url, { headers: { 'If-None-Match': headers['etag']! } })
  expect(again.status).toBe(304)
})

test('hashed files may be kept, and come compressed where that was built', async () => {
  const url = `${await start()}assets/main-a1b2c3d4.js`
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'gzip, br' } })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await response.text()).toBe(script)
  const plain = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, script])
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '//etc/passwd',
  '/assets',
  '/nodes/7/session',
])('nothing is at %s', async (path) => {
  expect((await raw(await start(), path)).status).toBe(404)
})

test.each([
  ['/address/0xfe3b557e8Fb62b89F4916B721be55cEb828dBd73', '/#/address/0xfe3b557e8Fb62b89F4916B721be55cEb828dBd73'],
  ['/token/0xfe3b557e8fb62b89f4916b721be55ceb828dbd73/', '/#/token/0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
  [`/tx/0x${'ab'.repeat(32)}?chain=1`, `/#/tx/0x${'ab'.repeat(32)}`],
  [`/block/0x${'ab'.repeat(32)}`, `/#/block/0x${'ab'.repeat(32)}`],
  ['/block/17', '/#/block/17'],
  ['/blocks', '/#/blocks'],
  ['/txs', '/#/transactions'],
])('the address of another explorer, %s, leads to the page', async (path, page) => {
  const response = await fetch((await start()) + path.slice(1), { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([302, page])
})

test.each(['/address/0x12', '/tx/17', '/block/-1', '/block/0x1', '/address/https://evil.example', '/tx/'])(
  'no page is at %s',
  async (path) => {
    expect((await raw(await start(), path)).status).toBe(404)
  },
)

test('a single node answers for itself', async () => {
  const url = await start()
  expect(await (await fetch(`${url}nodes`)).json()).toEqual([{ name: 'alone', path: '' }])
  expect(await (await fetch(`${url}session`)).json()).toEqual({
    authentication: false,
    namespaces: ['NET', 'WEB3'],
    sources: false,
  })
  expect(await (await post(`${url}rpc`, json)).json()).toEqual(answer)
  const disabled = await post(`${url}rpc`, json, call.replace('net_version', 'eth_blockNumber'))
  expect(await disabled.json()).toMatchObject({ error: { code: -32604, message: 'Method not enabled' } })
  expect((await post(`${url}graphql`, json)).status).toBe(404)
  expect(await askWs(`${url}ws`)).toMatchObject(answer)
})

test('other pages and hosts cannot ask', async () => {
  const url = await start()
  const own = url.slice(0, -1)
  expect((await post(`${url}rpc`, { ...json, Origin: own })).status).toBe(200)
  expect((await post(`${url}rpc`, { ...json, Origin: 'http://evil.example' })).status).toBe(403)
  expect((await post(`${url}rpc`, { ...json, Origin: 'null' })).status).toBe(403)
  expect((await post(`${url}rpc`, { 'Content-Type': 'text/plain' })).status).toBe(415)
  expect((await post(`${url}rpc`, { 'Content-Type': 'application/jsonp' })).status).toBe(415)
  expect((await fetch(`${url}rpc`)).status).toBe(405)
  expect((await raw(url, '/rpc', { Host: 'evil.example', ...json }, 'POST')).status).toBe(403)
  expect((await raw(url, '/', { Host: 'evil.example' })).status).toBe(403)
  expect(await askWs(`${url}ws`, [], { Origin: 'http://evil.example' })).toBe(403)
  expect(await askWs(`${url}ws`, [], { Host: 'evil.example' })).toBe(403)
  expect(await askWs(`${url}rpc`)).toBe(403)
  expect(await askWs(`${url}ws`, [], { Origin: own })).toMatchObject(answer)
  const preflight = { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' }
  expect((await raw(url, '/rpc', preflight, 'OPTIONS')).status).toBe(405)
})

test('callers authenticate as they do over HTTP', async () => {
  const url = await start({ authority })
  const token = makeToken({ permissions: ['net:*'], exp: Date.now() / 1000 + 300 }, key.privateKey)
  expect(await (await fetch(`${url}session`)).json()).toMatchObject({ authentication: true })
  expect((await post(`${url}rpc`, json)).status).toBe(401)
  expect(await (await post(`${url}rpc`, { ...json, Authorization: `Bearer ${token}` })).json()).toEqual(answer)
  expect(await askWs(`${url}ws`)).toMatchObject({ error: { code: -40100 } })
  expect(await askWs(`${url}ws`, ['quoin', `bearer.${token}`])).toMatchObject({ ...answer, protocol: 'quoin' })
  expect(await askWs(`${url}ws`, ['quoin', `bearer.${token}x`])).toMatchObject({ error: { code: -40100 } })
})

test('the state of the network is shown to those who may see it', async () => {
  expect(await (await fetch(`${await start()}state`)).json()).toEqual(calmState)
  const url = await start({ authority })
  const ask = async (permissions: readonly string[]) => {
    const token = makeToken({ permissions, exp: Date.now() / 1000 + 300 }, key.privateKey)
    return (await fetch(`${url}state`, { headers: { Authorization: `Bearer ${token}` } })).json()
  }
  expect(await ask(['net:*'])).toEqual(calmState)
  expect(await ask(['eth:*'])).toEqual({ status: 'making', level: 'ok' })
  expect(await (await fetch(`${url}state`)).json()).toEqual({ status: 'making', level: 'ok' })
  expect((await post(`${url}state`, json)).status).toBe(405)
})

test('calls are passed on to nodes in other processes', async () => {
  const health = { peerCount: () => undefined, blocksBehind: () => undefined, state: () => calmState }
  const options = { ...common, host: '127.0.0.1', port: 0, corsOrigins: [] }
  const http = await serveHttp(options, { ports, health, onInternalError })
  const ws = await serveWs(options, { ports, onInternalError, openSession })
  servers.push(http, ws)
  const session = { authentication: false, namespaces: ['NET'] }
  const place = { http: http.port, ws: ws.port, graphql: 1 }
  const remote = createRemoteNode({ name: 'second', session, ports: place })
  const gone = createRemoteNode({ name: 'third', session, ports: { http: 1, ws: 1, graphql: 1 } })
  const url = await startAt([localNode(), remote, gone])
  expect(await (await fetch(`${url}nodes`)).json()).toEqual([
    { name: 'alone', path: 'nodes/0/' },
    { name: 'second', path: 'nodes/1/' },
    { name: 'third', path: 'nodes/2/' },
  ])
  expect(await (await fetch(`${url}nodes/1/session`)).json()).toEqual({ ...session, sources: false })
  const own = { ...json, Origin: url.slice(0, -1) }
  for (const i of [0, 1]) expect(await (await post(`${url}nodes/${i}/rpc`, own)).json()).toEqual(answer)
  expect(await askWs(`${url}nodes/1/ws`, [], { Origin: own.Origin })).toMatchObject(answer)
  expect((await post(`${url}nodes/2/rpc`, own)).status).toBe(502)
  expect((await post(`${url}nodes/1/rpc`, { ...json, Origin: 'http://evil.example' })).status).toBe(403)
})

test('a folder without a page is not served', () => {
  expect(openPageFiles(join(folder, 'missing'))).toBeUndefined()
})
