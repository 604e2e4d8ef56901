import { mkdtempSync, rmSync } from 'node:fs'
import { Agent as PlainAgent, request as requestPlain } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHeardLogs } from '../../../test/support/heardLogs.ts'
import { fixtureTls, tlsText } from '../../../test/support/tlsFixture.ts'
import { makeRsaKey, makeToken } from '../../../test/support/tokens.ts'
import { type Authority, createAuthority } from '../../auth/authority.ts'
import type { ChainView } from '../../chain/view.ts'
import type { Listening } from '../../http/listen.ts'
import { createRateLimit } from '../../http/rateLimit.ts'
import { createSharedVersion, type RaisedVersion } from '../../http/thread/sharedVersion.ts'
import type { RpcPorts } from '../protocol/context.ts'
import type { CallMeter } from '../protocol/dispatch.ts'
import type { Access } from './gate.ts'
import { serveHttp } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-tls-repeats-'))
const key = makeRsaKey(join(folder, 'key.pub'))
const ca = tlsText('server.crt')
let authority: Authority
beforeAll(async () => {
  authority = await createAuthority({
    server: 'HTTP',
    credentialsFile: undefined,
    publicKeyFile: join(folder, 'key.pub'),
    algorithm: 'RS256',
    openMethods: [],
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

let server: Listening | undefined
let version: RaisedVersion
let head: bigint
/** How often the node has looked at its chain: once for a request that it answers, never for one that the thread answers. */
let looks: number
let agent: Agent | PlainAgent
let isSecure = true
beforeEach(() => {
  version = createSharedVersion()
  head = 1n
  looks = 0
})
afterEach(async () => {
  agent.destroy()
  await server?.close(0)
})

async function start(access: Access = {}, onCall?: CallMeter): Promise<void> {
  const options = { keepAlive: true, maxSockets: 1 }
  agent = isSecure ? new Agent(options) : new PlainAgent(options)
  const views = new Map<bigint, ChainView>()
  const viewOf = (number: bigint) => views.get(number) ?? ({ head: { header: { number } } } as unknown as ChainView)
  const ports: RpcPorts = {
    chain() {
      looks++
      if (!views.has(head)) views.set(head, viewOf(head))
      return views.get(head)!
    },
    client: { version: 'quoin/test', networkId: 2018n },
  }
  server = await serveHttp(
    {
      host: '127.0.0.1',
      port: 0,
      namespaces: ['ETH', 'NET'],
      maxBatch: 10,
      hostAllowlist: ['localhost', '127.0.0.1'],
      corsOrigins: [],
      maxConnections: 80,
      maxBody: 10_000,
      timeout: 10_000,
      gasCap: 1n,
      pretty: false,
      ...(isSecure ? { tls: fixtureTls() } : { thread: { log: createHeardLogs() } }),
    },
    {
      ports,
      access,
      onCall,
      version,
      health: { peerCount: () => undefined, blocksBehind: () => undefined },
      onInternalError: (error) => expect.fail(String(error)),
    },
  )
}

const numberCall = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'eth_blockNumber', params: [] })

function ask(json: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const body = JSON.stringify(json)
  const own = { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: server!.port, method: 'POST', ca, servername: 'localhost', agent }
    const call = (isSecure ? request : requestPlain)({ ...options, headers: own }, async (response) => {
      let text = ''
      response.setEncoding('utf8')
      for await (const chunk of response) text += chunk
      resolve(JSON.parse(text))
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** Whether the node itself has answered. */
async function reaches(json: unknown, headers?: Record<string, string>): Promise<[isNode: boolean, reply: unknown]> {
  const before = looks
  const reply = await ask(json, headers)
  return [looks > before, reply]
}

const resultOf = (id: unknown, result = '0x1') => ({ jsonrpc: '2.0', id, result })
const bearer = (permissions: readonly string[], life = 300) => ({
  Authorization: `Bearer ${makeToken({ permissions, exp: Math.floor(Date.now() / 1000) + life }, key.privateKey)}`,
})

/** Asks until the node has said that the reply may be repeated: the first call is run, the second one found. */
async function warm(json: unknown, headers?: Record<string, string>): Promise<void> {
  await ask(json, headers)
  await ask(json, headers)
}

describe.each([
  ['with TLS', true],
  ['without TLS', false],
])('%s', (_, secure) => {
  beforeEach(() => void (isSecure = secure))

  test('the thread repeats replies, with the id of each request, until the next head', async () => {
    await start()
    await warm(numberCall(1))
    expect(await reaches(numberCall(1))).toEqual([false, resultOf(1)])
    expect(await reaches(numberCall(7))).toEqual([false, resultOf(7)])
    // The length of the body has changed.
    expect(await reaches(numberCall(10))).toEqual([true, resultOf(10)])
    expect(await reaches(numberCall(11))).toEqual([false, resultOf(11)])
    head = 2n
    Atomics.add(version.number, 0, 1)
    expect(await reaches(numberCall(12))).toEqual([true, resultOf(12, '0x2')])
  })

  test('a batch is repeated with the same ids', async () => {
    await start()
    const batch = [numberCall(1), numberCall(2)]
    await warm(batch)
    expect(await reaches(batch)).toEqual([false, [resultOf(1), resultOf(2)]])
    expect(await reaches([numberCall(3), numberCall(4)])).toEqual([true, [resultOf(3), resultOf(4)]])
  })

  test('other methods reach the node, and what was kept is repeated afterwards', async () => {
    await start()
    const version = { ...numberCall(1), method: 'net_version' }
    await warm(numberCall(1))
    expect(await ask(version)).toEqual(resultOf(1, '2018'))
    await ask(numberCall(1))
    expect(await reaches(numberCall(1))).toEqual([false, resultOf(1)])
  })

  test('a reply is never repeated to a caller with another token, or with none', async () => {
    await start({ authority })
    const allowed = bearer(['eth:*'])
    const refused = { jsonrpc: '2.0', id: 1, error: { code: -40100, message: 'Unauthorized' } }
    await warm(numberCall(1), allowed)
    expect(await reaches(numberCall(1), allowed)).toEqual([false, resultOf(1)])
    for (const headers of [bearer(['net:*']), bearer([]), bearer(['eth:*'], -10), { Authorization: 'Bearer x' }])
      expect(await ask(numberCall(1), headers)).toEqual(refused)
    expect(await ask(numberCall(1))).toEqual({ ...refused, id: null })
    await ask(numberCall(1), allowed)
    expect(await reaches(numberCall(1), allowed)).toEqual([false, resultOf(1)])
  })

  test('the node answers each request where requests are limited', async () => {
    await start({ rateLimit: createRateLimit(1000) })
    await warm(numberCall(1))
    expect((await reaches(numberCall(1)))[0]).toBe(true)
  })

  test('repeated replies are counted where calls are measured', async () => {
    const calls: Record<string, number> = {}
    await start({}, (method, _, times = 1) => void (calls[method] = (calls[method] ?? 0) + times))
    await warm(numberCall(1))
    for (const id of [1, 2, 3]) expect((await reaches(numberCall(id)))[0]).toBe(false)
    await expect.poll(() => calls).toEqual({ eth_blockNumber: 5 })
  })

  test('after a new head the thread has the new reply before anybody asks', async () => {
    await start({ authority })
    const allowed = bearer(['eth:*'])
    await warm(numberCall(1), allowed)
    const isNode: boolean[] = []
    // On a busy machine the thread may see the request before the reply.
    while (isNode.length < 20 && !isNode.includes(false)) {
      head++
      version.raise()
      const [asked, reply] = await reaches(numberCall(5), allowed)
      expect(reply).toEqual(resultOf(5, `0x${head.toString(16)}`))
      isNode.push(asked)
      // Replies are not made anew for heads in a row.
      await sleep(150)
    }
    expect(isNode).toContain(false)
  })

  test('a reply that its caller may not have any more is not made anew', async () => {
    await start({ authority })
    const allowed = bearer(['eth:*'], 1)
    await warm(numberCall(1), allowed)
    await sleep(2500)
    head = 2n
    version.raise()
    expect(await ask(numberCall(1), allowed)).toMatchObject({ error: { code: -40100 } })
  })
})
