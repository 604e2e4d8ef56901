import { randomBytes } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { initiate } from '../../../test/support/localKeys.ts'
import { createManualClock, type ManualClock } from '../../../test/support/manualClock.ts'
import { keyNumber, until } from '../../../test/support/netHarness.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { createLocalKey } from '../../keys/nodeIdentity.ts'
import { curve } from '../../primitives/secp256k1.ts'
import type { ClosedBy, DisconnectReason } from '../protocol.ts'
import type { Connection } from './connection.ts'
import { createConnection } from './createConnection.ts'
import { decodeDisconnect } from './disconnect.ts'
import { createFrameCodec, type Frame, type FrameCodec } from './frames.ts'
import { encodeHello, type Hello } from './hello.ts'
import { snappyCompress, snappyDecompress } from './snappy.ts'

const [ownKey, callerKey] = [keyNumber(1), keyNumber(2)]
const helloOf = (key: Uint8Array): Hello => ({
  version: 5,
  clientId: 'test',
  capabilities: [],
  listenPort: 0,
  id: curve.publicKey(key),
})

/** The side under test: what happened to its one connection. */
interface Callee {
  connection?: Connection
  hello?: Hello
  closed?: { reason: DisconnectReason; by: ClosedBy }
  readonly messages: number[]
}

let server: Server
let clock: ManualClock
let callee: Callee
const callers: Socket[] = []

beforeEach(async () => {
  clock = createManualClock(0)
  const fresh: Callee = { messages: [] }
  callee = fresh
  server = createServer((socket) => {
    fresh.connection = createConnection(socket, {
      key: createLocalKey(ownKey),
      hello: helloOf(ownKey),
      expectedId: undefined,
      clock,
      random: randomBytes,
      log: createSilentLogs(),
      onHello(hello) {
        fresh.hello = hello
        fresh.connection!.accept((code) => fresh.messages.push(code))
      },
      onClose(reason, by) {
        fresh.closed = { reason, by }
      },
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  for (const socket of callers.splice(0)) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

async function call(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  callers.push(socket)
  socket.on('error', () => undefined)
  await until(() => callee.connection !== undefined, 'a connection')
  return socket
}

/** A caller that has shaken hands and can send what it likes. */
async function callAndShakeHands(): Promise<{ socket: Socket; codec: FrameCodec; frames: Frame[] }> {
  const socket = await call()
  const initiation = initiate(callerKey, curve.publicKey(ownKey), randomBytes)
  const frames: Frame[] = []
  let early = Buffer.alloc(0)
  let codec: FrameCodec | undefined
  socket.on('data', (chunk) => {
    if (codec) codec.push(chunk)
    else {
      early = Buffer.concat([early, chunk])
      const agreement = initiation.finish(early)
      if (!agreement) return
      codec = createFrameCodec(agreement.secrets, 0xffffff)
      codec.push(early.subarray(agreement.used))
    }
    for (let frame = codec.next(); frame; frame = codec.next()) frames.push(frame)
  })
  socket.write(initiation.auth)
  await until(() => frames.length === 1, 'Hello')
  return { socket, codec: codec!, frames }
}

async function callAndSayHello(hello: Hello = helloOf(callerKey)) {
  const caller = await callAndShakeHands()
  caller.socket.write(caller.codec.encode(0, encodeHello(hello)))
  await until(() => callee.hello !== undefined || callee.closed !== undefined, 'Hello')
  return caller
}

/** What the caller was told at the end; `compressed` after Hello. */
async function farewell(frames: Frame[], compressed: boolean): Promise<DisconnectReason> {
  await until(() => frames.at(-1)!.code === 1, 'Disconnect')
  const { payload } = frames.at(-1)!
  return decodeDisconnect(compressed ? snappyDecompress(payload, 100) : payload)
}

describe('before Hello', () => {
  test('who says nothing is left after ten seconds', async () => {
    const socket = await call()
    clock.run(9_999)
    expect(callee.closed).toBe(undefined)
    clock.run(1)
    expect(callee.closed).toEqual({ reason: 'timeout', by: 'us' })
    await until(() => socket.destroyed, 'the end')
  })

  test('who stops after the handshake is told so', async () => {
    const { frames } = await callAndShakeHands()
    clock.run(10_000)
    expect(await farewell(frames, false)).toBe('timeout')
  })

  test('random bytes end it at once', async () => {
    const socket = await call()
    socket.write(Buffer.alloc(400, 9))
    await until(() => callee.closed !== undefined && socket.destroyed, 'the end')
    expect(callee.closed).toEqual({ reason: 'breachOfProtocol', by: 'us' })
  })

  test('another message is a breach', async () => {
    const { socket, codec, frames } = await callAndShakeHands()
    socket.write(codec.encode(0x10, new Uint8Array(1)))
    expect(await farewell(frames, false)).toBe('breachOfProtocol')
  })

  test('a large frame is refused by its header alone', async () => {
    const { socket, codec, frames } = await callAndShakeHands()
    socket.write(codec.encode(0, new Uint8Array(1_000_000)).subarray(0, 32))
    expect(await farewell(frames, false)).toBe('breachOfProtocol')
  })

  test('the other side may leave', async () => {
    const { socket, codec } = await callAndShakeHands()
    socket.write(codec.encode(1, Uint8Array.of(0xc1, 0x04)))
    await until(() => callee.closed !== undefined, 'the end')
    expect(callee.closed).toEqual({ reason: 'tooManyPeers', by: 'peer' })
  })
})

describe('Hello', () => {
  test.each<[string, Partial<Hello>, DisconnectReason, boolean]>([
    ['of an old version', { version: 3 }, 'incompatibleVersion', false],
    ['without an id', { id: new Uint8Array(64) }, 'nullNodeId', true],
    ['with half an id', { id: new Uint8Array(32).fill(1) }, 'nullNodeId', true],
    ['with the id of somebody else', { id: curve.publicKey(keyNumber(3)) }, 'unexpectedId', true],
  ])('%s', async (_, change, reason, compressed) => {
    const { frames } = await callAndSayHello({ ...helloOf(callerKey), ...change })
    expect(callee.hello).toBe(undefined)
    expect(await farewell(frames, compressed)).toBe(reason)
  })

  test('that is no list of that form is a breach', async () => {
    const { socket, codec, frames } = await callAndShakeHands()
    socket.write(codec.encode(0, Uint8Array.of(0xc3, 0x05, 0xc0, 0xc0)))
    expect(await farewell(frames, false)).toBe('breachOfProtocol')
  })
})

describe('messages', () => {
  test('of protocols are delivered, pings are answered', async () => {
    const { socket, codec, frames } = await callAndSayHello()
    socket.write(codec.encode(0x11, snappyCompress(new Uint8Array(5000))))
    socket.write(codec.encode(2, snappyCompress(Uint8Array.of(0xc0))))
    await until(() => frames.length === 2 && callee.messages.length === 1, 'pong')
    expect(callee.messages).toEqual([0x11])
    expect(frames[1]!.code).toBe(3)
  })

  test('to a peer of version 4 are not compressed', async () => {
    const { socket, codec, frames } = await callAndSayHello({ ...helloOf(callerKey), version: 4 })
    socket.write(codec.encode(2, Uint8Array.of(0xc0)))
    await until(() => frames.length === 2, 'pong')
    expect([...frames[1]!.payload]).toEqual([0xc0])
  })

  test.each([
    ['as they are', new Uint8Array(0xffffff)],
    ['compressed', new Uint8Array(randomBytes(0xfffffe))],
  ])('that no frame carries, %s, are not sent, and nobody is disconnected', async (_, payload) => {
    const { frames } = await callAndSayHello()
    expect(callee.connection!.send(0x10, payload)).toBe(false)
    expect(callee.connection!.send(0x11, Uint8Array.of(1))).toBe(true)
    await until(() => frames.length === 2, 'the next message')
    expect(frames[1]!.code).toBe(0x11)
    expect(callee.closed).toBe(undefined)
  })

  const bomb = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 0x00)
  test.each([
    ['that would be huge', 0x10, bomb],
    ['that cannot be decompressed', 0x10, Uint8Array.of(5, 0xff)],
    ['of no known kind', 7, snappyCompress(Uint8Array.of(0xc0))],
    ['that say Hello again', 0, snappyCompress(encodeHello(helloOf(callerKey)))],
  ])('%s are a breach', async (_, code, payload) => {
    const { socket, codec, frames } = await callAndSayHello()
    socket.write(codec.encode(code, payload))
    expect(await farewell(frames, true)).toBe('breachOfProtocol')
    expect(callee.closed).toEqual({ reason: 'breachOfProtocol', by: 'us' })
    expect(callee.messages).toEqual([])
  })

  test('with a wrong authentication code are a breach', async () => {
    const { socket, codec, frames } = await callAndSayHello()
    const bytes = codec.encode(0x10, snappyCompress(new Uint8Array(10)))
    bytes[40]! ^= 1
    socket.write(bytes)
    expect(await farewell(frames, true)).toBe('breachOfProtocol')
  })
})

describe('a peer that', () => {
  test('is silent is asked, and left when it does not answer', async () => {
    const { frames } = await callAndSayHello()
    clock.run(15_000)
    await until(() => frames.length === 2, 'ping')
    expect(frames[1]!.code).toBe(2)
    clock.run(15_000)
    expect(await farewell(frames, true)).toBe('timeout')
  })

  test('answers is kept', async () => {
    const { socket, codec, frames } = await callAndSayHello()
    for (let round = 1; round <= 3; round++) {
      clock.run(15_000)
      await until(() => frames.length === 1 + round, 'ping')
      socket.write(codec.encode(3, snappyCompress(Uint8Array.of(0xc0))))
      socket.write(codec.encode(0x10, snappyCompress(Uint8Array.of(round))))
      await until(() => callee.messages.length === round, 'an answer')
      clock.run(15_000)
    }
    expect(callee.closed).toBe(undefined)
  })

  test('does not read is left', async () => {
    const { socket } = await callAndSayHello()
    socket.pause()
    const payload = randomBytes(1_000_000)
    let sent = 0
    while (callee.connection!.send(0x10, payload)) if (++sent > 100) break
    expect(sent).toBeLessThan(80)
    expect(callee.closed).toEqual({ reason: 'timeout', by: 'us' })
  })

  test('is told why it is left, and the socket does not stay', async () => {
    const { frames, socket } = await callAndSayHello()
    callee.connection!.disconnect('clientQuitting')
    callee.connection!.disconnect('requested')
    expect(await farewell(frames, true)).toBe('clientQuitting')
    expect(callee.closed).toEqual({ reason: 'clientQuitting', by: 'us' })
    expect(callee.connection!.send(0x10, new Uint8Array(1))).toBe(false)
    socket.destroy()
    await callee.connection!.gone
  })
})
