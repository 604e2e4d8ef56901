import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { Agent, request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { createHeardLogs } from '../../../test/support/heardLogs.ts'
import { fixtureTls, tlsText } from '../../../test/support/tlsFixture.ts'
import type { Logger } from '../../primitives/logger.ts'
import { listenInThread, type ThreadPort } from './listenInThread.ts'
import { type SpareThread, startSpareThread } from './spareThread.ts'

const ca = tlsText('server.crt')
const open: ThreadPort[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((port) => port.close(0)))
})

async function start(answer: RequestListener, log?: Logger, spare?: SpareThread) {
  const server = createServer(answer)
  const tls = fixtureTls({}, log)
  const port = await listenInThread(server, { host: '127.0.0.1', port: 0 }, { tls: tls.options, log: tls.log, spare })
  open.push(port)
  return { server, port }
}

async function connectTo(port: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

function send(port: number, body = '', agent = new Agent()): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, method: 'POST', ca, servername: 'localhost', agent },
      async (got) => {
        let text = ''
        got.setEncoding('utf8')
        for await (const chunk of got) text += chunk
        resolve(text)
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

test('what is sent arrives as it was, in both directions', async () => {
  const { port } = await start(async (asked, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    response.write(`${asked.socket.remoteAddress} `)
    response.write(body.subarray(0, 1000))
    response.end(body.subarray(1000).toString('utf8'))
  })
  const text = `${'x'.repeat(1000)}${'äöü€'.repeat(300_000)}`
  // Not toBe, which would print megabytes.
  expect((await send(port.port, text)) === `127.0.0.1 ${text}`).toBe(true)
})

test('a port that is taken is refused', async () => {
  const { port } = await start((_, response) => response.end())
  const { options: tls, log } = fixtureTls()
  const again = listenInThread(createServer(), { host: '127.0.0.1', port: port.port }, { tls, log })
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a client that does not read gets no more than fits on the way', async () => {
  let written = 0
  const { port } = await start(async (_, response) => {
    const piece = Buffer.alloc(1 << 16)
    response.on('error', () => {})
    for (;;) {
      written += piece.length
      if (!response.write(piece)) await once(response, 'drain')
    }
  })
  const socket = await connectTo(port.port)
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  let last = -1
  await expect
    .poll(
      () => {
        const stopped = written > 0 && written === last
        last = written
        return stopped
      },
      { interval: 300 },
    )
    .toBe(true)
  expect(written).toBeLessThan(64 << 20)
  socket.destroy()
})

test('a server that does not read stops its client', async () => {
  const { port, server } = await start(() => {})
  server.removeAllListeners('connection')
  const accepted = once(server, 'connection')
  const socket = await connectTo(port.port)
  const [own] = await accepted
  own.pause()
  const block = Buffer.alloc(1 << 20)
  let sent = 0
  while (sent < 256 && socket.write(block)) sent++
  await expect.poll(() => own.readableLength).toBeGreaterThan(0)
  expect(own.readableLength).toBeLessThan(32 << 20)
  // Nobody reads, so nobody would see that the client leaves.
  own.destroy()
  await expect.poll(() => socket.destroyed).toBe(true)
})

test('an answer under way is sent before the port closes', async () => {
  const { port } = await start((_, response) => {
    closed = port.close(600_000)
    setImmediate(() => response.end('late'))
  })
  let closed: Promise<void> | undefined
  expect(await send(port.port)).toBe('late')
  await closed
})

test('a thread that dies is replaced at the same port', async () => {
  const log = createHeardLogs()
  const started = once(process, 'worker') as Promise<[Worker]>
  const { port } = await start((_, response) => response.end('here'), log)
  const [thread] = await started
  const socket = await connectTo(port.port)
  socket.resume()
  await thread.terminate()
  await expect.poll(() => socket.destroyed).toBe(true)
  await expect.poll(() => send(port.port).catch(() => undefined)).toBe('here')
  expect(log.lines().join()).toContain('another one is started')
})

test('a port whose thread has died closes', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>
  const { port } = await start((_, response) => response.end('here'), createHeardLogs())
  const [thread] = await started
  await thread.terminate()
  await port.close(0)
  await expect(send(port.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('a thread that was started ahead listens, and is replaced by another one', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>
  const spare = startSpareThread()
  const [thread] = await started
  const { port } = await start((_, response) => response.end('here'), createHeardLogs(), spare)
  expect(await send(port.port)).toBe('here')
  await spare.end()
  expect(await send(port.port)).toBe('here')
  await thread.terminate()
  await expect.poll(() => send(port.port).catch(() => undefined)).toBe('here')
})

test('a thread that was started ahead and has died is replaced before anybody knows', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>
  const spare = startSpareThread()
  await (await started)[0].terminate()
  const { port } = await start((_, response) => response.end('here'), createHeardLogs(), spare)
  expect(await send(port.port)).toBe('here')
})

test('a thread that was started ahead in vain ends', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>
  const spare = startSpareThread()
  const [thread] = await started
  const ended = once(thread, 'exit')
  await spare.end()
  await ended
  expect(spare.take()).toBeUndefined()
})

test('lines of the thread are in the log of the node', async () => {
  const log = createHeardLogs()
  log.setLevel('debug')
  const { port } = await start((_, response) => response.end(), log)
  const plain = connectPlain(port.port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\n\r\n'))
  plain.on('error', () => {})
  await expect.poll(() => log.lines().join()).toContain('TLS handshake of 127.0.0.1 failed')
})
