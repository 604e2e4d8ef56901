import type { Socket } from 'node:net'
import { concatBytes, emptyBytes, equalBytes } from '../../primitives/bytes.ts'
import type { Clock } from '../../primitives/clock.ts'
import { Fault } from '../../primitives/fault.ts'
import type { Logger } from '../../primitives/logger.ts'
import { NetError } from '../fault.ts'
import type { DisconnectReason, Endpoint } from '../protocol.ts'
import { decodeDisconnect, encodeDisconnect } from './disconnect.ts'
import { createFrameCodec, type Frame, type FrameCodec } from './frames.ts'
import { initiate, type Random, respond, type Secrets } from './handshake.ts'
import { decodeHello, encodeHello, type Hello } from './hello.ts'
import { snappyCompress, snappyDecompress } from './snappy.ts'

/** Who ended a connection; `socket` when it broke without a word. */
export type ClosedBy = 'us' | 'peer' | 'socket'

export interface ConnectionOptions {
  readonly key: Uint8Array
  readonly hello: Hello
  /** The key that the other side has to prove; undefined when it is the one that called. */
  readonly expectedId: Uint8Array | undefined
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** Once, when both sides have said Hello: what is sent from here on goes out, what comes in waits for `accept`. */
  onHello(hello: Hello): void
  /** Exactly once. */
  onClose(reason: DisconnectReason, by: ClosedBy): void
}

/** An encrypted connection with one peer. */
export interface Connection {
  remote(): Endpoint
  local(): Endpoint
  /** Lets messages through, those that wait included. A fault that the handler throws ends the connection. */
  accept(onMessage: (code: number, payload: Uint8Array) => void): void
  /** False when the connection is closed, or gets closed because the peer does not read. */
  send(code: number, payload: Uint8Array): boolean
  disconnect(reason: DisconnectReason): void
  /** Bytes that wait to be sent. */
  backlog(): number
  /** Resolves when the socket is gone. */
  readonly gone: Promise<void>
}

const code = { hello: 0, disconnect: 1, ping: 2, pong: 3, firstOfProtocols: 0x10 } as const
const emptyList = Uint8Array.of(0xc0)
/** From this version of Hello on messages are compressed. */
const snappyVersion = 5
const oldestVersion = 4
const helloLimit = 16 * 1024
/** Uncompressed length of a message that is taken. */
const messageLimit = 0xffffff
/** A peer for which more waits than this does not read. */
const backlogLimit = 16 * 1024 * 1024
const helloDeadline = 10_000
const quietInterval = 15_000
/** Time for the other side to read why it is disconnected. */
const farewell = 2_000

/** Takes over a socket: handshake, Hello, frames, keepalive. */
export function createConnection(socket: Socket, options: ConnectionOptions): Connection {
  const { key, hello, expectedId, clock, random, log } = options
  const initiation = expectedId && initiate(key, expectedId, random)
  let state: 'handshake' | 'hello' | 'waiting' | 'open' | 'closed' = 'handshake'
  let early: Uint8Array = emptyBytes
  let codec: FrameCodec | undefined
  let remoteId: Uint8Array | undefined
  let compressed = false
  let draining = false
  let corked = false
  let heard = false
  let pinged = false
  let deliver: (code: number, payload: Uint8Array) => void = () => undefined
  let cancelTimer = clock.after(helloDeadline, () => disconnect('timeout'))
  let remote: Endpoint = { ip: '', port: 0 }
  let local: Endpoint = remote

  function onConnect(): void {
    remote = { ip: plainIp(socket.remoteAddress), port: socket.remotePort ?? 0 }
    local = { ip: plainIp(socket.localAddress), port: socket.localPort ?? 0 }
    if (initiation) socket.write(initiation.auth)
  }

  function onData(chunk: Uint8Array): void {
    heard = true
    if (state !== 'closed') take(chunk)
  }

  function take(chunk: Uint8Array): void {
    try {
      if (!codec) shakeHands(chunk)
      else if (chunk.length) codec.push(chunk)
      drain()
    } catch (error) {
      // What the other side sent is wrong; anything else is a defect of ours, and no reason to stop the node.
      if (!(error instanceof Fault)) log.error({ error: String(error) }, 'a connection failed')
      disconnect('breachOfProtocol')
    }
  }

  function shakeHands(chunk: Uint8Array): void {
    early = early.length ? concatBytes(early, chunk) : chunk
    const answer = initiation ? initiation.finish(early) : respond(key, early, random)
    if (!answer) return
    if (answer.ack) socket.write(answer.ack)
    const rest = early.subarray(answer.used)
    early = emptyBytes
    startFrames(answer.secrets, rest)
  }

  function startFrames(secrets: Secrets, rest: Uint8Array): void {
    remoteId = secrets.remoteId
    codec = createFrameCodec(secrets, helloLimit)
    if (rest.length) codec.push(rest)
    state = 'hello'
    write(code.hello, encodeHello(hello))
  }

  function drain(): void {
    if (draining || !codec) return
    draining = true
    try {
      while (state === 'hello' || state === 'open') {
        const frame = codec.next()
        if (!frame) break
        if (state === 'hello') onFirst(frame, codec)
        else onFrame(frame)
      }
    } finally {
      draining = false
    }
  }

  function onFirst(frame: Frame, codec: FrameCodec): void {
    if (frame.code === code.disconnect) {
      closedByPeer(frame.payload)
      return
    }
    if (frame.code !== code.hello) throw new NetError({ code: 'BAD_FRAME', reason: 'Hello is missing' })
    const theirs = decodeHello(frame.payload)
    compressed = theirs.version >= snappyVersion
    const reason = faultOf(theirs)
    if (reason) {
      disconnect(reason)
      return
    }
    codec.setLimit(messageLimit)
    cancelTimer()
    state = 'waiting'
    socket.pause()
    options.onHello(theirs)
  }

  function faultOf({ version, id }: Hello): DisconnectReason | undefined {
    if (version < oldestVersion) return 'incompatibleVersion'
    if (id.length !== 64 || id.every((byte) => byte === 0)) return 'nullNodeId'
    if (!equalBytes(id, remoteId!)) return 'unexpectedId'
    return equalBytes(id, hello.id) ? 'localIdentity' : undefined
  }

  function onFrame(frame: Frame): void {
    if (frame.code === code.disconnect) {
      closedByPeer(frame.payload)
      return
    }
    const payload = compressed ? snappyDecompress(frame.payload, messageLimit) : frame.payload
    if (frame.code >= code.firstOfProtocols) deliver(frame.code, payload)
    else if (frame.code === code.ping) send(code.pong, emptyList)
    else if (frame.code !== code.pong) throw new NetError({ code: 'BAD_FRAME', reason: `message ${frame.code}` })
  }

  function closedByPeer(payload: Uint8Array): void {
    const reason = decodeDisconnect(compressed ? uncompressed(payload) : payload)
    close(reason, 'peer')
    socket.destroy()
  }

  function write(code: number, payload: Uint8Array): void {
    if (!corked) {
      // Messages of the same turn leave together.
      corked = true
      socket.cork()
      process.nextTick(() => {
        corked = false
        socket.uncork()
      })
    }
    socket.write(codec!.encode(code, payload))
  }

  function send(code: number, payload: Uint8Array): boolean {
    if (state !== 'waiting' && state !== 'open') return false
    if (socket.writableLength > backlogLimit) {
      close('timeout', 'us')
      socket.destroy()
      return false
    }
    write(code, compressed ? snappyCompress(payload) : payload)
    return true
  }

  function watch(): void {
    cancelTimer = clock.after(quietInterval, () => {
      if (!heard && pinged) return disconnect('timeout')
      pinged = !heard
      heard = false
      if (pinged) send(code.ping, emptyList)
      watch()
    })
  }

  function close(reason: DisconnectReason, by: ClosedBy): void {
    if (state === 'closed') return
    state = 'closed'
    cancelTimer()
    options.onClose(reason, by)
  }

  function disconnect(reason: DisconnectReason): void {
    if (state === 'closed') return
    if (codec) {
      const payload = encodeDisconnect(reason)
      write(code.disconnect, compressed ? snappyCompress(payload) : payload)
      socket.end()
      socket.resume()
      cancelFarewell = clock.after(farewell, () => socket.destroy())
    } else socket.destroy()
    close(reason, 'us')
  }

  let cancelFarewell: () => void = () => undefined
  const gone = new Promise<void>((resolve) => {
    socket.once('close', () => {
      cancelFarewell()
      close('tcpError', 'socket')
      resolve()
    })
  })
  // 'close' follows and says all there is to say.
  socket.on('error', () => undefined)
  socket.setNoDelay(true)
  socket.on('data', onData)
  if (socket.connecting) socket.once('connect', onConnect)
  else onConnect()

  return {
    remote: () => remote,
    local: () => local,
    accept(onMessage) {
      if (state !== 'waiting') return
      deliver = onMessage
      state = 'open'
      heard = false
      watch()
      socket.resume()
      // Messages may have come together with Hello.
      take(emptyBytes)
    },
    send,
    disconnect,
    backlog: () => socket.writableLength,
    gone,
  }
}

/** Some clients do not compress the message with which they leave. */
function uncompressed(payload: Uint8Array): Uint8Array {
  try {
    return snappyDecompress(payload, messageLimit)
  } catch {
    return payload
  }
}

/** An IPv4 address as such, even when the socket is an IPv6 one. */
function plainIp(ip: string | undefined): string {
  return (ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
}
