import type { Socket } from 'node:net'
import { concatBytes, emptyBytes, equalBytes } from '../../primitives/bytes.ts'
import { Fault } from '../../primitives/fault.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { NetError } from '../fault.ts'
import type { ClosedBy, DisconnectReason, Endpoint } from '../protocol.ts'
import { decodeDisconnect, encodeDisconnect } from './disconnect.ts'
import { createFrameCodec, type Frame, type FrameCodec } from './frames.ts'
import { initiate, type Random, respond, type Secrets } from './handshake.ts'
import { decodeHello, encodeHello, type Hello } from './hello.ts'
import { snappyCompress, snappyCompressOnce, snappyDecompress } from './snappy.ts'

export interface ConnectionOptions {
  readonly key: Uint8Array
  readonly hello: Hello
  /** The public key that the other side must prove; undefined for inbound connections. */
  readonly expectedId: Uint8Array | undefined
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** Called once after both sides have sent Hello. Messages can be sent from now on; incoming ones wait for `accept`. */
  onHello(hello: Hello): void
  /** Called exactly once. */
  onClose(reason: DisconnectReason, by: ClosedBy): void
}

// Why RLPx is implemented here: docs/adr/0005-own-devp2p.md.

/** An encrypted connection with one peer. */
export interface Connection {
  remote(): Endpoint
  local(): Endpoint
  /** Delivers messages, including waiting ones. A Fault thrown by the handler closes the connection. */
  accept(onMessage: (code: number, payload: Uint8Array) => void): void
  /**
   * Returns false if the message is too long to be sent, or if the connection is closed or is being closed because the peer does
   * not read.
   */
  send(code: number, payload: Uint8Array): boolean
  disconnect(reason: DisconnectReason): void
  /** Bytes queued for sending. */
  backlog(): number
  /** Resolves when the socket is closed. */
  readonly gone: Promise<void>
}

const code = { hello: 0, disconnect: 1, ping: 2, pong: 3, firstOfProtocols: 0x10 } as const
const emptyList = Uint8Array.of(0xc0)
/** Version of Hello from which on messages are compressed. */
const snappyVersion = 5
const oldestVersion = 4
const helloLimit = 16 * 1024
/** Maximum length of a message, as it is and compressed. */
const receivedLimit = 0xffffff
/** The same of a message that is sent: it has a code beside it, and Besu refuses one as long as a frame can be. */
export const messageLimit = receivedLimit - 1
/** Unsent bytes above which the peer is disconnected because it does not read: blocks may be on their way beside each other. */
const backlogLimit = 3 * messageLimit
const helloDeadline = 10_000
const quietInterval = 15_000
/** Milliseconds for the other side to read the Disconnect message. */
const disconnectTime = 2_000

/** Runs RLPx on a socket: handshake, Hello, frames, keepalive. */
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
      // A Fault is the peer's; anything else is a bug of ours, which must not stop the node.
      if (!(error instanceof Fault)) log.error({ error: String(error) }, 'connection handler failed')
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
    codec.setLimit(receivedLimit)
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
    const payload = compressed ? snappyDecompress(frame.payload, receivedLimit) : frame.payload
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
      // Messages of the same event-loop turn are sent together.
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
    const data = payload.length <= messageLimit && compressed ? snappyCompressOnce(payload) : payload
    if (data.length > messageLimit) {
      // The peer would disconnect us.
      log.error({ peer: remote, code, bytes: payload.length }, 'message is too long to be sent')
      return false
    }
    write(code, data)
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
      cancelDisconnect = clock.after(disconnectTime, () => socket.destroy())
    } else socket.destroy()
    close(reason, 'us')
  }

  let cancelDisconnect: () => void = () => undefined
  const gone = new Promise<void>((resolve) => {
    socket.once('close', () => {
      cancelDisconnect()
      close('tcpError', 'socket')
      resolve()
    })
  })
  // The event 'close' follows and is handled.
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
      // Messages may have arrived together with Hello.
      take(emptyBytes)
    },
    send,
    disconnect,
    backlog: () => socket.writableLength,
    gone,
  }
}

/** Some clients do not compress their Disconnect message. */
function uncompressed(payload: Uint8Array): Uint8Array {
  try {
    return snappyDecompress(payload, receivedLimit)
  } catch {
    return payload
  }
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function plainIp(ip: string | undefined): string {
  return (ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
}
