import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { type DirectSocket, directSocket } from './directReads.ts'

/** A server with a client that has connected to it. */
async function open() {
  const server = createServer({ allowHalfOpen: true })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true })
  const [accepted] = (await once(server, 'connection')) as [Socket]
  const direct = directSocket(accepted)
  const close = new Promise((resolve) => server.once('close', resolve))
  onTestFinished(async () => {
    direct.socket.destroy()
    client.destroy()
    server.close()
    await close
  })
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { accepted, client, connections, ...direct }
}

/** Collects what arrives without a stream. */
function collect({ read }: Pick<DirectSocket, 'read'>): () => string {
  let received = ''
  read((bytes) => (received += bytes))
  return () => received
}

test('bytes arrive in memory that is used again, and replies are written as to any socket', async () => {
  const { accepted, client, socket, read } = await open()
  expect(socket).not.toBe(accepted)
  expect(socket.remotePort).toBe(client.localPort)
  const pieces: Buffer[] = []
  read((bytes) => {
    pieces.push(bytes)
    socket.write(bytes.toString().toUpperCase())
  })
  for (const word of ['one', 'two']) {
    client.write(word)
    expect(String((await once(client, 'data'))[0])).toBe(word.toUpperCase())
  }
  expect(pieces.map(String)).toEqual(['two', 'two'])
})

test('a connection that is closed does not count any more', async () => {
  const { client, connections, socket, ...direct } = await open()
  collect(direct)
  expect(await connections()).toBe(1)
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  client.resetAndDestroy()
  await closed
  expect(await connections()).toBe(0)
})

test('the end of what the client sends is heard, and it can still be answered', async () => {
  const { client, socket, ...direct } = await open()
  const received = collect(direct)
  client.end('question')
  await once(socket, 'end')
  expect(received()).toBe('question')
  socket.end('answer')
  expect(String((await once(client, 'data'))[0])).toBe('answer')
})

test('a socket that is paused reads nothing until it goes on', async () => {
  const { client, socket, ...direct } = await open()
  const received = collect(direct)
  socket.pause()
  client.write('later')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(received()).toBe('')
  socket.resume()
  await expect.poll(received).toBe('later')
})

test('after its release what arrives is data of the stream', async () => {
  const { client, socket, release, ...direct } = await open()
  const received = collect(direct)
  client.write('direct')
  await expect.poll(received).toBe('direct')
  release()
  socket.pause()
  const sent = Buffer.alloc(4 << 20, 'streamed ')
  client.end(sent)
  expect(Buffer.concat(await socket.toArray()).equals(sent)).toBe(true)
  expect(received()).toBe('direct')
})

test('what is no socket of Node is read as a stream', async () => {
  const stream = new Duplex({ read() {} })
  const { socket, release, ...direct } = directSocket(stream as Socket)
  expect(socket).toBe(stream)
  const received = collect(direct)
  stream.push('one')
  await expect.poll(received).toBe('one')
  release()
  stream.push('two')
  expect(String((await once(stream, 'data'))[0])).toBe('two')
  expect(received()).toBe('one')
})
