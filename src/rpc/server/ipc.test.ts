import { linkSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Send } from '../events/subscriptions.ts'
import { type IpcPorts, type IpcServer, startIpc } from './ipc.ts'

let folder: string
let path: string
const servers: IpcServer[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-ipc-'))
  path = join(folder, 'quoin.ipc')
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((one) => one.close(0)))
  rmSync(folder, { recursive: true, force: true })
})

/** Answers each request with its text in brackets; `slow` ones never. */
const echo = (tell?: (send: Send) => void): IpcPorts => ({
  connect(send) {
    tell?.(send)
    return {
      dispatch: (text) => (text.includes('slow') ? new Promise(() => {}) : { status: 200, body: `[${text}]` }),
      isSubscribed: () => false,
      close() {},
    }
  },
  timeoutReply: '{}',
})

async function start(at = path, ports = echo()): Promise<IpcServer> {
  const server = await startIpc({ path: at, maxMessage: 1000, timeout: 1000 }, ports)
  servers.push(server)
  return server
}

/** A client that collects what comes. */
async function dial(at = path) {
  const socket: Socket = createConnection(at)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let text = ''
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('data', (data) => (text += data))
  return {
    socket,
    ended,
    async lines(count: number): Promise<string[]> {
      while (text.split('\n').length <= count) await new Promise((resolve) => socket.once('data', resolve))
      return text.split('\n').slice(0, count)
    },
  }
}

test('requests that follow each other without line feeds are answered by a line each', async () => {
  await start()
  const { socket, lines } = await dial()
  socket.write('{"a":1}{"b":')
  expect(await lines(1)).toEqual(['[{"a":1}]'])
  socket.write('2}\n[3]')
  expect(await lines(3)).toEqual(['[{"a":1}]', '[{"b":2}]', '[[3]]'])
  socket.destroy()
})

test('notifications come between answers', async () => {
  let tell: Send | undefined
  await start(
    path,
    echo((send) => (tell = send)),
  )
  const { socket, lines } = await dial()
  socket.write('{}')
  await lines(1)
  tell!({ bytes: Buffer.from('{"id":"0x?"}'), idAt: 9, id: '1' })
  expect(await lines(2)).toEqual(['[{}]', '{"id":"0x1"}'])
  socket.destroy()
})

test('what is no request, or too long a one, ends the connection with an error', async () => {
  await start()
  for (const text of ['5', `["${'x'.repeat(1000)}"]`]) {
    const { socket, lines, ended } = await dial()
    socket.write(text)
    expect((await lines(1))[0]).toContain('-32700')
    await ended
  }
})

test('only the user of the node can open the socket, and a node that ends removes it', async () => {
  const server = await start(join(folder, 'new', 'folder', 'x.ipc'))
  expect(statSync(join(folder, 'new/folder/x.ipc')).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'new/folder'))).toEqual(['x.ipc'])
  const idle = await dial(join(folder, 'new/folder/x.ipc'))
  await server.close()
  await idle.ended
  expect(readdirSync(join(folder, 'new/folder'))).toEqual([])
})

test('connections that wait for an answer are closed after a while', async () => {
  const server = await start()
  const { socket, ended, lines } = await dial()
  socket.write('{"slow":1}{}')
  await lines(1)
  await server.close(10)
  await ended
})

test('a socket that a process left behind is replaced, one that is served is not', async () => {
  // Its file stays when it is closed, as after a kill.
  const left = createServer()
  await new Promise<void>((resolve) => left.listen(join(folder, 'other'), resolve))

  linkSync(join(folder, 'other'), path)
  await expect(start()).rejects.toThrow('another process serves there')
  await new Promise((resolve) => left.close(resolve))
  expect(statSync(path).isSocket()).toBe(true)
  await start()
  const { socket, lines } = await dial()
  socket.write('{}')
  expect(await lines(1)).toEqual(['[{}]'])
  socket.destroy()
})

test('a file of the name, and too long a path, are refused', async () => {
  writeFileSync(path, 'mine')
  await expect(start()).rejects.toThrow('there is a file that is no socket')
  const long = join(folder, 'x'.repeat(110))
  await expect(start(long)).rejects.toThrow(/^the path has \d+ bytes, and the system takes 10[37] at most$/)
})
