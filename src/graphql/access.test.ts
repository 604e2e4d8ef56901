import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type GraphqlChain, openGraphqlChain } from '../../test/support/graphqlChain.ts'
import { makeRsaKey, makeToken } from '../../test/support/tokens.ts'
import { type Authority, createAuthority } from '../auth/authority.ts'
import type { Listening } from '../http/listen.ts'
import { createRateLimit, type RateLimit } from '../http/rateLimit.ts'
import { serveGraphql } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-graphql-'))
const key = makeRsaKey(join(folder, 'key.pub'))
let node: GraphqlChain
let authority: Authority
let server: Listening
beforeAll(async () => {
  node = openGraphqlChain()
  const publicKeyFile = join(folder, 'key.pub')
  const options = { server: 'HTTP', credentialsFile: undefined, publicKeyFile, algorithm: 'RS256' } as const
  authority = await createAuthority({ ...options, openMethods: ['eth_sendRawTransaction'] })
})
afterEach(() => server.close(0))
afterAll(async () => {
  await node.close()
  rmSync(folder, { recursive: true })
})

async function start(access: { authority?: Authority; rateLimit?: RateLimit }) {
  const options = { maxConnections: 80, timeout: 10_000, pretty: false, longAsHex: false, port: 0, host: '127.0.0.1' }
  server = await serveGraphql(
    { ...options, hostAllowlist: ['127.0.0.1'], corsOrigins: [] },
    { ...node.ports, ...access },
  )
}

async function send(query: string, permissions?: readonly string[]) {
  const token = permissions && makeToken({ permissions, exp: Date.now() / 1000 + 300 }, key.privateKey)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  const body = JSON.stringify({ query })
  const response = await fetch(`http://127.0.0.1:${server.port}/graphql`, { method: 'POST', headers, body })
  return [response.status, await response.text()]
}

const refused = [401, '{"errors":[{"message":"Unauthorized"}]}']
const mutation = 'mutation{sendRawTransaction(data:"0x00")}'

test('a query needs all of eth, a mutation the permission to send', async () => {
  await start({ authority })
  for (const permissions of [['*:*'], ['eth:*']])
    expect(await send('{chainID}', permissions)).toEqual([200, '{"data":{"chainID":"0x539"}}'])
  for (const permissions of [undefined, [], ['eth:getBlockByNumber', 'eth:chainId'], ['net:*'], ['ETH:*'], ['admin:*']])
    expect(await send('{chainID}', permissions)).toEqual(refused)
  expect(await send('{__schema{types{name}}}')).toEqual(refused)
  // What is sent is not a transaction: the caller was let in.
  for (const permissions of [['eth:*'], ['eth:sendRawTransaction']])
    expect((await send(mutation, permissions))[0]).toBe(400)
  expect(await send(mutation)).toEqual(refused)
  expect(await send(`query a{chainID}`, ['eth:sendRawTransaction'])).toEqual(refused)
})

test('a query by GET needs a token too', async () => {
  await start({ authority })
  expect((await fetch(`http://127.0.0.1:${server.port}/graphql?query={chainID}`)).status).toBe(401)
})

test('a client that asks too often gets 429', async () => {
  await start({ rateLimit: createRateLimit(1, () => 0) })
  expect([(await send('{chainID}'))[0], (await send('{chainID}'))[0]]).toEqual([200, 429])
})
