import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Socket, type Server as TcpServer } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tlsText } from '../../../test/support/tlsFixture.ts'
import { createHttpClient, type HttpClient } from './httpClient.ts'

let client: HttpClient
let stops: (() => void)[]

beforeEach(() => {
  stops = []
  client = createHttpClient()
  stops.push(() => client.close())
})
afterEach(() => {
  for (const stop of stops) stop()
})

function listen(server: Server | TcpServer, scheme = 'http'): Promise<URL> {
  stops.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`)),
    ),
  )
}

const serve = (answer: RequestListener): Promise<URL> => listen(createHttp(answer))

const limits = { timeout: 20_000, maxAnswer: 1000 }
const get = { method: 'GET' } as const

test('an answer has its status, headers, body and the address that was used', async () => {
  const url = await serve(async (request, response) => {
    response.writeHead(404, { 'content-type': 'text/x' }).end(`${request.url} ${await text(request)}`)
  })
  const answer = await client.ask(new URL('/a?b', url), { method: 'POST', body: 'é' }, limits)
  expect(answer).toMatchObject({ status: 404, localAddress: '127.0.0.1' })
  expect(answer.headers['content-type']).toBe('text/x')
  expect(answer.body.toString()).toBe('/a?b é')
})

test('connections are kept', async () => {
  const sockets = new Set<Socket>()
  const url = await serve((request, response) => {
    sockets.add(request.socket)
    response.end()
  })
  for (let i = 0; i < 3; i++) await client.ask(url, get, limits)
  expect(sockets.size).toBe(1)
})

describe('a server that closes idle connections without a word', () => {
  let requests: number

  /** Answers the first request of each connection, and resets the connection when the second one comes. */
  async function serveOnce(): Promise<URL> {
    requests = 0
    const server = createTcp((socket) => {
      let isUsed = false
      socket.on('error', () => {})
      socket.on('data', () => {
        requests++
        if (isUsed) socket.resetAndDestroy()
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
        isUsed = true
      })
    })
    return listen(server)
  }

  test('a request is sent again, on a new connection', async () => {
    const url = await serveOnce()
    for (let i = 0; i < 3; i++) expect((await client.ask(url, get, limits)).body.toString()).toBe('ok')
    expect(requests).toBe(5)
  })

  test('also if several connections are stale', async () => {
    const url = await serveOnce()
    const both = () => Promise.all([client.ask(url, get, limits), client.ask(url, get, limits)])
    await both()
    expect((await both()).map(({ body }) => body.toString())).toEqual(['ok', 'ok'])
    expect((await client.ask(url, get, limits)).body.toString()).toBe('ok')
  })

  test('a body that is a stream cannot be sent again', async () => {
    const url = await serveOnce()
    await client.ask(url, get, limits)
    const sent = client.ask(url, { method: 'POST', body: Readable.from(['a']) }, limits)
    await expect(sent).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) })
  })

  test('a new connection that is reset is a failure', async () => {
    const server = createTcp((socket) => socket.on('data', () => socket.resetAndDestroy()))
    const url = await listen(server)
    await expect(client.ask(url, get, limits)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})

test('an answer that is too large is not read to its end', async () => {
  let isClosed: Promise<unknown> | undefined
  const url = await serve((_, response) => {
    isClosed = new Promise((resolve) => response.once('close', resolve))
    const more = () => {
      while (response.write(Buffer.alloc(1000)));
      response.once('drain', more)
    }
    more()
  })
  await expect(client.ask(url, get, limits)).rejects.toThrow('the answer has more than 1000 bytes')
  await isClosed
})

describe('an answer that is late', () => {
  const silent: readonly (readonly [string, RequestListener])[] = [
    ['altogether', () => {}],
    ['in its middle', (_, response) => void response.write('a')],
  ]
  test.each(silent)('%s is not waited for', async (_, answer) => {
    const url = await serve(answer)
    await expect(client.ask(url, get, { ...limits, timeout: 200 })).rejects.toThrow('no answer within 200 ms')
  })
  test.each(silent)('%s: the caller can end the request', async (_, answer) => {
    const url = await serve(answer)
    const stop = new AbortController()
    const asked = client.ask(url, get, { ...limits, signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 100)
    await expect(asked).rejects.toThrow('enough')
  })
})

test('an answer that ends too early is a failure', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('a')
    setTimeout(() => response.destroy(), 50)
  })
  await expect(client.ask(url, get, limits)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('where nobody listens the reason has a code', async () => {
  await expect(client.ask(new URL('http://127.0.0.1:1'), get, limits)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

describe('a redirect', () => {
  const answer = async (request: IncomingMessage) =>
    request.url === '/' ? undefined : `${request.method} ${request.url} ${await text(request)}`
  const redirecting: RequestListener = async (request, response) => {
    const body = await answer(request)
    if (body === undefined) response.writeHead(308, { location: '/there' }).end('moved')
    else response.end(body)
  }
  const post = { method: 'POST', body: 'hello' } as const

  test('is followed if that is wanted', async () => {
    const url = await serve(redirecting)
    const { body } = await client.ask(url, post, { ...limits, redirects: true })
    expect(body.toString()).toBe('POST /there hello')
  })
  test('is an answer otherwise', async () => {
    expect(await client.ask(await serve(redirecting), post, limits)).toMatchObject({ status: 308 })
  })
})

describe('TLS', () => {
  const identity = () => ({ key: tlsText('server.key'), cert: tlsText('server.crt') })
  const serveTls = () =>
    listen(
      createHttps(identity(), (_, response) => void response.end('secret')),
      'https',
    )

  test('a certificate that nobody vouches for ends the call', async () => {
    await expect(client.ask(await serveTls(), get, limits)).rejects.toThrow('self-signed certificate')
  })
  test('one that is trusted does not', async () => {
    const trusting = createHttpClient({ ca: tlsText('server.crt') })
    stops.push(() => trusting.close())
    expect((await trusting.ask(await serveTls(), get, limits)).body.toString()).toBe('secret')
  })
})
