import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GraphqlChain, openGraphqlChain } from '../../test/support/graphqlChain.ts'
import { fixtureTls, tlsText } from '../../test/support/tlsFixture.ts'
import type { Listening } from '../http/listen.ts'
import { openPageFiles } from '../http/pageFiles.ts'
import { serveGraphql } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-graphql-'))

/** Pages as the build makes them; returns their folder. */
function makePages(): string {
  for (const name of ['main', 'graphiql']) mkdirSync(join(folder, 'assets', name), { recursive: true })
  writeFileSync(join(folder, 'index.html'), 'the explorer')
  writeFileSync(join(folder, 'assets/main/main-a1b2c3d4.js'), 'the explorer')
  writeFileSync(join(folder, 'graphiql.html'), '<script src="assets/graphiql/graphiql-a1b2c3d4.js"></script>')
  writeFileSync(join(folder, 'assets/graphiql/graphiql-a1b2c3d4.js'), 'run()')
  return folder
}

let node: GraphqlChain
let server: Listening

beforeAll(async () => {
  node = openGraphqlChain()
  const options = { maxConnections: 80, timeout: 10_000, pretty: false, longAsHex: false }
  const access = { hostAllowlist: ['127.0.0.1'], corsOrigins: ['http://friend\\.example'] }
  const files = openPageFiles(makePages())
  server = await serveGraphql({ host: '127.0.0.1', port: 0, ...options, ...access }, node.ports, files)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.close(0)
  await node.close()
})

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

function send({ method = 'POST', path = '/graphql', headers = {}, body }: Sent) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: server.port, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
    })
    call.on('error', reject)
    call.end(body)
  })
}

const json = { 'content-type': 'application/json' }
const chainID = '{"data":{"chainID":"0x539"}}'
const syntaxAtStart = {
  errors: [
    {
      message: "Invalid syntax with offending token '<EOF>' at line 1 column 1",
      locations: [{ line: 1, column: 1 }],
      extensions: { classification: 'InvalidSyntax' },
    },
  ],
}

describe('answers', () => {
  const get = (parameters: Record<string, string>) => ({
    method: 'GET',
    path: `/graphql?${new URLSearchParams(parameters)}`,
  })
  const two = 'query A{gasPrice} query B{chainID}'
  const typed = 'query($n:Long){block(number:$n){number}}'
  test.each<[string, Sent, string]>([
    ['JSON', { headers: json, body: '{"query":"{chainID}"}' }, chainID],
    [
      'JSON with a charset',
      { headers: { 'content-type': 'application/json; charset=utf-8' }, body: '{"query":"{chainID}"}' },
      chainID,
    ],
    [
      'members that are null',
      { headers: json, body: '{"query":"{chainID}","variables":null,"operationName":null}' },
      chainID,
    ],
    ['text of another type', { headers: { 'content-type': 'application/graphql' }, body: '{chainID}' }, chainID],
    ['text of no type', { body: '{chainID}' }, chainID],
    ['GET', get({ query: '{chainID}' }), chainID],
    ['GET of one operation', get({ query: two, operationName: 'B' }), chainID],
    ['GET with variables', get({ query: typed, variables: '{"n":"0x0"}' }), '{"data":{"block":{"number":0}}}'],
    ['one operation of several', { headers: json, body: JSON.stringify({ query: two, operationName: 'B' }) }, chainID],
    [
      'a variable that is a number',
      { headers: json, body: JSON.stringify({ query: typed, variables: { n: 0 } }) },
      '{"data":{"block":{"number":0}}}',
    ],
  ])('%s', async (_, sent, want) => {
    const { status, text, headers } = await send(sent)
    expect([status, text]).toEqual([200, want])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('long ones are compressed for those who can read that', async () => {
    const path = '/graphql?query={__schema{types{name,description,fields{name,description}}}}'
    const { status, headers } = await send({ method: 'GET', path, headers: { 'accept-encoding': 'gzip' } })
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip'])
  })
})

describe('requests that cannot be read', () => {
  test.each<[string, Sent]>([
    ['broken JSON', { headers: json, body: '{"query":' }],
    ['no body', { headers: json, body: '' }],
    ['a list', { headers: json, body: '[]' }],
    ['variables that are no object', { headers: json, body: '{"query":"{chainID}","variables":"x"}' }],
    ['variables that are a list', { headers: json, body: '{"query":"{chainID}","variables":[]}' }],
    ['an unknown member', { headers: json, body: '{"query":"{chainID}","x":1}' }],
    ['a query that is a number', { headers: json, body: '{"query":1}' }],
    ['bad variables of a GET', { method: 'GET', path: '/graphql?query=%7BchainID%7D&variables=x' }],
  ])('%s', async (_, sent) => {
    const { status, text } = await send(sent)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toEqual({ result: expect.stringMatching(/^Failed to decode:./) })
  })

  test.each<[string, Sent]>([
    ['a GET without one', { method: 'GET' }],
    ['JSON without one', { headers: json, body: '{}' }],
  ])('no query: %s', async (_, sent) => {
    const { status, text } = await send(sent)
    expect([status, JSON.parse(text)]).toEqual([400, syntaxAtStart])
  })
})

describe('failures that Besu counts as its own', () => {
  const body = (query: string, more: object = {}) => ({ headers: json, body: JSON.stringify({ query, ...more }) })
  test.each<[string, Sent, string]>([
    [
      'no name among several operations',
      body('query A{chainID} query B{chainID}'),
      'Must provide operation name if query contains multiple operations.',
    ],
    ['a name that is not there', body('query A{chainID}', { operationName: 'Z' }), "Unknown operation named 'Z'."],
    [
      'a Long that is no number',
      body('query($n:Long){block(number:$n){number}}', { variables: { n: 'zz' } }),
      'For input string: "zz"',
    ],
  ])('%s', async (_, sent, message) => {
    const { status, text } = await send(sent)
    expect([status, JSON.parse(text)]).toEqual([500, { errors: [{ message }] }])
  })
})

describe('HTTP', () => {
  test.each<[string, Sent, number, string]>([
    ['PUT', { method: 'PUT', body: '{chainID}' }, 405, ''],
    ['an unknown path', { path: '/other' }, 404, '<html><body><h1>Resource not found</h1></body></html>'],
    ['no JSON accepted', { headers: { accept: 'text/html' }, body: '{chainID}' }, 406, ''],
    [
      'another host',
      { headers: { host: 'example.org' }, body: '{chainID}' },
      403,
      '{"message":"Host not authorized."}',
    ],
    [
      'another origin',
      { headers: { origin: 'http://stranger.example' }, body: '{chainID}' },
      403,
      'CORS Rejected - Invalid origin',
    ],
  ])('%s', async (_, sent, status, text) => expect(await send(sent)).toMatchObject({ status, text }))

  test.each(['GET', 'POST'])('%s of the root leads to /graphql', async (method) => {
    const { status, headers } = await send({ method, path: '/' })
    expect([status, headers['location']]).toEqual([308, '/graphql'])
  })

  test('an origin that is allowed', async () => {
    const { status, headers } = await send({ headers: { origin: 'http://friend.example' }, body: '{chainID}' })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, 'http://friend.example'])
  })

  test('a preflight', async () => {
    const headers = { origin: 'http://friend.example', 'access-control-request-method': 'POST' }
    expect(await send({ method: 'OPTIONS', headers })).toMatchObject({ status: 204 })
  })

  test('a browser gets a page, which may ask this server', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const { status, headers, text } = await send({ method: 'GET', headers: { accept } })
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    const script = await send({ method: 'GET', path: `/${/src="(.*?)"/.exec(text)![1]}` })
    expect(script).toMatchObject({ status: 200, text: 'run()' })
    const origin = `http://127.0.0.1:${server.port}`
    expect(await send({ headers: { origin }, body: '{chainID}' })).toMatchObject({ status: 200 })
  })

  test.each(['/index.html', '/graphiql.html', '/assets/main/main-a1b2c3d4.js', '/assets/graphiql/other.js'])(
    'other files are not served: %s',
    async (path) => {
      expect(await send({ method: 'GET', path })).toMatchObject({ status: 404 })
    },
  )

  test('a browser that asks gets an answer', async () => {
    const path = '/graphql?query=%7BchainID%7D'
    expect(await send({ method: 'GET', path, headers: { accept: 'text/html,*/*' } })).toMatchObject({ text: chainID })
  })
})

describe('large bodies', () => {
  test('a query of 9 MB is refused by the parser', async () => {
    const { status, text } = await send({ body: `{chainID${' '.repeat(9 << 20)}}` })
    expect([status, text]).toEqual([400, expect.stringContaining('More than 1,048,576 characters')])
  })

  test('more than 10 MB are refused by the server', async () => {
    const { status, text } = await send({ body: 'x'.repeat((10 << 20) + 1) })
    expect([status, text]).toEqual([413, 'Request Entity Too Large'])
  })

  test('long variables are taken', async () => {
    const body = JSON.stringify({
      query:
        'query($data:Bytes!){block{call(data:{to:"0x0000000000000000000000000000000000000004",data:$data,gas:999999999}){status}}}',
      variables: { data: `0x${'00'.repeat(1 << 20)}` },
    })
    expect(await send({ headers: json, body })).toMatchObject({ text: '{"data":{"block":{"call":{"status":1}}}}' })
  })

  test('JSON that is nested deeply is no request', async () => {
    const { status } = await send({ headers: json, body: `{"variables":${'['.repeat(1e6)}` })
    expect(status).toBe(400)
  })
})

describe('TLS', () => {
  test('queries are answered, and the page of this server is not a foreign one', async () => {
    const options = { maxConnections: 80, timeout: 10_000, pretty: false, longAsHex: false, tls: fixtureTls() }
    const access = { hostAllowlist: ['localhost'], corsOrigins: [] }
    const secure = await serveGraphql({ host: '127.0.0.1', port: 0, ...options, ...access }, node.ports)
    const ask = (origin: string) =>
      new Promise<[number, string]>((resolve, reject) => {
        const target = { host: '127.0.0.1', port: secure.port, path: '/graphql', method: 'POST', agent: false } as const
        const trust = { ca: tlsText('server.crt'), servername: 'localhost' }
        const headers = { host: `localhost:${secure.port}`, origin }
        const call = secureRequest({ ...target, ...trust, headers }, async (response) => {
          let text = ''
          for await (const chunk of response) text += String(chunk)
          resolve([response.statusCode!, text])
        })
        call.on('error', reject)
        call.end('{chainID}')
      })
    expect(await ask(`https://localhost:${secure.port}`)).toEqual([200, chainID])
    expect((await ask(`http://localhost:${secure.port}`))[0]).toBe(403)
    await secure.close(0)
  })
})
