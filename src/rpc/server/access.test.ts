import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { calmState } from '../../../test/support/calmState.ts'
import { makeRsaKey, makeToken } from '../../../test/support/tokens.ts'
import { type Authority, createAuthority } from '../../auth/authority.ts'
import type { Listening } from '../../http/listen.ts'
import { createRateLimit } from '../../http/rateLimit.ts'
import { createSubscriptions } from '../events/subscriptions.ts'
import type { RpcPorts } from '../protocol/context.ts'
import type { Access } from './gate.ts'
import { serveHttp, serveWs } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-access-'))
afterAll(() => rmSync(folder, { recursive: true }))
const key = makeRsaKey(join(folder, 'key.pub'))

let time = 1_700_000_000_000
let authority: Authority
let openAuthority: Authority
beforeAll(async () => {
  const options = {
    server: 'HTTP',
    credentialsFile: undefined,
    publicKeyFile: join(folder, 'key.pub'),
    algorithm: 'RS256',
    now: () => time,
  } as const
  authority = await createAuthority({ ...options, openMethods: [] })
  openAuthority = await createAuthority({ ...options, openMethods: ['net_version'] })
})

const tokenOf = (permissions: readonly string[], life = 300) =>
  makeToken({ permissions, exp: time / 1000 + life }, key.privateKey)
const bearer = (...permissions: readonly string[]) => ({ Authorization: `Bearer ${tokenOf(permissions)}` })

const ports: RpcPorts = { client: { version: 'quoin/test', networkId: 2018n }, peers: undefined }
const common = {
  host: '127.0.0.1',
  port: 0,
  namespaces: ['ETH', 'NET', 'WEB3'],
  maxBatch: 1024,
  hostAllowlist: ['localhost', '127.0.0.1'],
  corsOrigins: ['http://friend\\.example'],
  maxConnections: 80,
  timeout: 300_000,
  gasCap: 50_000_000n,
}
const onInternalError = (error: unknown) => expect.fail(String(error))
const servers: Listening[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close(0)))
})

async function startHttp(access: Access): Promise<string> {
  const health = { peerCount: () => undefined, blocksBehind: () => undefined, state: () => calmState }
  const options = { ...common, maxBody: 5_242_880, pretty: false }
  const server = await serveHttp(options, { ports, health, onInternalError, access })
  servers.push(server)
  return `http://127.0.0.1:${server.port}`
}

const callOf = (method: string, params: readonly unknown[] = []) => ({ jsonrpc: '2.0', id: 1, method, params })
const result = { jsonrpc: '2.0', id: 1, result: '2018' }
const refusedWith = (id: number | null) => ({ jsonrpc: '2.0', id, error: { code: -40100, message: 'Unauthorized' } })

describe.each([
  ['straight from the socket', {}],
  ['by the HTTP server', { Origin: 'http://friend.example' }],
])('over HTTP, %s', (_, more: Record<string, string>) => {
  let url: string
  const ask = async (body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { ...headers, ...more } })
    const text = await response.text()
    return [response.status, text === '' ? '' : JSON.parse(text)]
  }
  beforeEach(async () => {
    url = await startHttp({ authority })
  })

  test('a caller may call what the token permits', async () => {
    expect(await ask(callOf('net_version'), bearer('net:version'))).toEqual([200, result])
    expect(await ask(callOf('net_version'), bearer('*:*'))).toEqual([200, result])
  })
  test('without a token nothing is read', async () => {
    expect(await ask('nonsense')).toEqual([401, refusedWith(null)])
    expect(await ask([])).toEqual([401, refusedWith(null)])
  })
  test.each([
    ['another method', callOf('net_version'), ['net:listening']],
    ['another namespace', callOf('net_version'), ['eth:*']],
    ['rpc_modules', callOf('rpc_modules'), ['eth:*', 'net:*', 'web3:*']],
    ['rpc_discover', callOf('rpc_discover'), ['eth:*', 'net:*', 'web3:*']],
    ['a subscription', callOf('web3_clientVersion'), ['eth:subscribe']],
    ['an empty list', callOf('net_version'), []],
  ])('%s is refused', async (_, call, permissions) => {
    expect(await ask(call, bearer(...permissions))).toEqual([401, refusedWith(1)])
  })
  test.each(['NET_VERSION', 'Net_version', 'net_Version', 'net_version ', 'net:version'])(
    '%j is another method',
    async (name) => {
      const [status, { error }] = await ask(callOf(name), bearer('net:version'))
      expect([status, error.code]).toEqual([200, -32601])
    },
  )
  test('each call of a batch is looked at', async () => {
    const batch = [callOf('net_version'), callOf('web3_clientVersion'), callOf('net_version')]
    expect(await ask(batch, bearer('net:*'))).toEqual([200, [result, refusedWith(1), result]])
  })
  test('a notification is not run', async () => {
    expect(await ask({ ...callOf('web3_clientVersion'), id: undefined }, bearer('net:*'))).toEqual([200, ''])
  })
  test('a token is refused as soon as it has expired', async () => {
    const headers = { Authorization: `Bearer ${tokenOf(['net:*'], 10)}` }
    expect(await ask(callOf('net_version'), headers)).toEqual([200, result])
    time += 10_000
    expect(await ask(callOf('net_version'), headers)).toEqual([401, refusedWith(1)])
  })
  test('open methods need no token', async () => {
    url = await startHttp({ authority: openAuthority })
    expect(await ask(callOf('net_version'))).toEqual([200, result])
    expect(await ask(callOf('net_version'), { Authorization: 'Bearer x' })).toEqual([200, result])
    expect(await ask(callOf('web3_clientVersion'))).toEqual([401, refusedWith(1)])
    const batch = [callOf('net_version'), callOf('web3_clientVersion')]
    expect(await ask(batch)).toEqual([200, [result, refusedWith(1)]])
  })
  test('a client that asks too often gets 429', async () => {
    let milliseconds = 0
    url = await startHttp({ rateLimit: createRateLimit(3, () => milliseconds) })
    const limited = { jsonrpc: '2.0', id: null, error: { code: -32005, message: expect.stringContaining('Too many') } }
    expect(await ask([callOf('net_version'), callOf('net_version'), callOf('net_version')])).toEqual([
      200,
      [result, result, result],
    ])
    expect(await ask(callOf('net_version'))).toEqual([429, limited])
    milliseconds += 1000
    expect(await ask(callOf('net_version'))).toEqual([200, result])
  })
})

test('logins count against the limit', async () => {
  const url = await startHttp({ authority, rateLimit: createRateLimit(1, () => 0) })
  const login = () => fetch(`${url}/login`, { method: 'POST', body: '{}' })
  expect([(await login()).status, (await login()).status]).toEqual([400, 429])
})

describe('over WebSocket', () => {
  const emitters = new Set<(text: string) => void>()
  const openSession = createSubscriptions({
    newHeads: {
      start(_, emit) {
        emitters.add(emit)
        return () => emitters.delete(emit)
      },
    },
  })

  async function connect(access: Access, headers: Record<string, string> = {}) {
    const server = await serveWs({ ...common, maxMessage: 4_194_304 }, { ports, onInternalError, openSession, access })
    servers.push(server)
    const client = new WebSocket(`ws://127.0.0.1:${server.port}`, { headers })
    const heard: unknown[] = []
    client.on('message', (data) => heard.push(JSON.parse(String(data))))
    const closed = new Promise<number>((resolve) => client.on('close', resolve))
    await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject))
    return {
      heard,
      closed,
      async ask(call: unknown): Promise<unknown> {
        const before = heard.length
        client.send(JSON.stringify(call))
        await expect.poll(() => heard.length).toBe(before + 1)
        return heard.at(-1)
      },
    }
  }

  test('without a token the handshake succeeds and every call is refused', async () => {
    const { ask } = await connect({ authority })
    expect(await ask(callOf('net_version'))).toEqual(refusedWith(1))
    expect(await ask([callOf('net_version')])).toEqual([refusedWith(1)])
    expect(await ask(callOf('eth_subscribe', ['newHeads']))).toEqual(refusedWith(1))
    expect(emitters.size).toBe(0)
  })
  test('a caller may call what the token permits', async () => {
    const { ask } = await connect({ authority }, bearer('net:version'))
    expect(await ask(callOf('net_version'))).toEqual(result)
    expect(await ask(callOf('rpc_modules'))).toEqual(refusedWith(1))
    expect(await ask(callOf('eth_subscribe', ['newHeads']))).toEqual(refusedWith(1))
  })
  test('calls and subscriptions end with the token', async () => {
    const { ask, heard, closed } = await connect({ authority }, bearer('eth:subscribe', 'net:*'))
    expect(await ask(callOf('eth_subscribe', ['newHeads']))).toMatchObject({ id: 1, result: expect.any(String) })
    const [emit] = emitters
    emit!('"first"')
    await expect.poll(() => heard.length).toBe(2)
    time += 300_000
    expect(await ask(callOf('net_version'))).toEqual(refusedWith(1))
    emit!('"second"')
    expect(await closed).toBe(1008)
    expect(JSON.stringify(heard)).not.toContain('second')
  })
  test('a client that asks too often gets an error', async () => {
    const { ask } = await connect({ rateLimit: createRateLimit(1, () => 0) })
    expect(await ask(callOf('net_version'))).toEqual(result)
    expect(await ask(callOf('net_version'))).toMatchObject({ id: 1, error: { code: -32005 } })
  })
})
