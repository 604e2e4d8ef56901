import type { Socket } from 'node:net'
import { emptyBytes, equalBytes } from '../../primitives/bytes.ts'
import { Fault } from '../../primitives/fault.ts'
import { NetError } from '../fault.ts'
import type { ClosedBy, DisconnectReason, Endpoint } from '../protocol.ts'
import type { Connection, ConnectionOptions } from './connection.ts'
import { decodeDisconnect, encodeDisconnect } from './disconnect.ts'
import { createFrameCodec, type Frame, type FrameCodec } from './frames.ts'
import { createGreeting, type Greeting } from './greeting.ts'
import type { Secrets } from './handshake.ts'
import { decodeHello, encodeHello, type Hello } from './hello.ts'
import { snappyCompress, snappyCompressOnce, snappyDecompress } from './snappy.ts'

export const code = { hello: 0, disconnect: 1, ping: 2, pong: 3, firstOfProtocols: 0x10 } as const

const emptyList = Uint8Array.of(0xc0)

/** Version of Hello from which on messages are compressed. */
const snappyVersion = 5

const oldestVersion = 4

const helloLimit = 16 * 1024

/** Maximum length of a message, as it is and compressed. */
export const receivedLimit = 0xffffff

/** The same of a message that is sent: it has a code beside it, and Besu refuses one as long as a frame can be. */
export const messageLimit = receivedLimit - 1

/** Unsent bytes above which the peer is disconnected because it does not read: blocks may be on their way beside each other. */
const backlogLimit = 3 * messageLimit

const helloDeadline = 10_000

const quietInterval = 15_000

/** Milliseconds for the other side to read the Disconnect message. */
const disconnectTime = 2_000

/** One encrypted connection: frames in, frames out, the messages of each capability, and the reason of its end. */
class RlpxConnection implements Connection {
  private readonly socket: Socket
  private readonly options: ConnectionOptions
  private readonly greeting: Greeting
  private state: 'handshake' | 'hello' | 'waiting' | 'open' | 'closed' = 'handshake'
  private codec: FrameCodec | undefined
  private remoteId: Uint8Array | undefined
  private compressed = false
  private draining = false
  private corked = false
  private received = false
  private pinged = false
  private deliver: (code: number, payload: Uint8Array) => void = () => undefined
  private cancelTimer
  private remoteEnd: Endpoint = { ip: '', port: 0 }
  private localEnd: Endpoint = this.remoteEnd
  private cancelDisconnect: () => void = () => undefined
  readonly gone: Promise<void>

  constructor(socket: Socket, options: ConnectionOptions) {
    this.options = options
    this.socket = socket
    this.greeting = createGreeting(socket, {
      ...{ key: options.key, random: options.random, remoteId: options.expectedId },
      onAgreed: (secrets, rest) =>
        this.guard(() => {
          if (this.state === 'closed') return
          this.startFrames(secrets, rest)
          this.drain()
        }),
      onFailed: this.onGreetingFailed,
    })
    this.cancelTimer = options.clock.after(helloDeadline, () => this.disconnect('timeout'))
    this.gone = new Promise<void>((resolve) => {
      socket.once('close', () => {
        this.cancelDisconnect()
        this.close('tcpError', 'socket')
        resolve()
      })
    })
    // The event 'close' follows and is handled.
    socket.on('error', () => undefined)
    socket.setNoDelay(true)
    socket.on('data', this.onData)
    if (socket.connecting) socket.once('connect', this.onConnect)
    else this.onConnect()
  }

  private readonly onGreetingFailed = (error: unknown): void => {
    // That the key of this node does not answer is not the peer's fault.
    if (!(error instanceof Fault)) this.disconnect('timeout')
    else
      this.guard(() => {
        throw error
      })
  }

  private readonly onConnect = (): void => {
    this.remoteEnd = { ip: plainIp(this.socket.remoteAddress), port: this.socket.remotePort ?? 0 }
    this.localEnd = { ip: plainIp(this.socket.localAddress), port: this.socket.localPort ?? 0 }
    this.greeting.begin()
  }

  private readonly onData = (chunk: Uint8Array): void => {
    this.received = true
    if (this.state !== 'closed') this.take(chunk)
  }

  private take(chunk: Uint8Array): void {
    this.guard(() => {
      if (!this.codec) this.greeting.take(chunk)
      else if (chunk.length) this.codec.push(chunk)
      this.drain()
    })
  }

  private guard(action: () => void): void {
    try {
      action()
    } catch (error) {
      // A Fault is the peer's; anything else is a bug of ours, which must not stop the node.
      if (!(error instanceof Fault)) this.options.log.error({ error: String(error) }, 'connection handler failed')
      this.disconnect('breachOfProtocol')
    }
  }

  private startFrames(secrets: Secrets, rest: Uint8Array): void {
    this.remoteId = secrets.remoteId
    this.codec = createFrameCodec(secrets, helloLimit)
    if (rest.length) this.codec.push(rest)
    this.state = 'hello'
    this.write(code.hello, encodeHello(this.options.hello))
  }

  private drain(): void {
    if (this.draining || !this.codec) return
    this.draining = true
    try {
      while (this.state === 'hello' || this.state === 'open') {
        const frame = this.codec.next()
        if (!frame) break
        if (this.state === 'hello') this.onFirst(frame, this.codec)
        else this.onFrame(frame)
      }
    } finally {
      this.draining = false
    }
  }

  private onFirst(frame: Frame, codec: FrameCodec): void {
    if (frame.code === code.disconnect) {
      this.closedByPeer(frame.payload)
      return
    }
    if (frame.code !== code.hello) throw new NetError({ code: 'BAD_FRAME', reason: 'Hello is missing' })
    const theirs = decodeHello(frame.payload)
    this.compressed = theirs.version >= snappyVersion
    const reason = this.faultOf(theirs)
    if (reason) {
      this.disconnect(reason)
      return
    }
    codec.setLimit(receivedLimit)
    this.cancelTimer()
    this.state = 'waiting'
    this.socket.pause()
    this.options.onHello(theirs)
  }

  private faultOf({ version, id }: Hello): DisconnectReason | undefined {
    if (version < oldestVersion) return 'incompatibleVersion'
    if (id.length !== 64 || id.every((byte) => byte === 0)) return 'nullNodeId'
    if (!equalBytes(id, this.remoteId!)) return 'unexpectedId'
    return equalBytes(id, this.options.hello.id) ? 'localIdentity' : undefined
  }

  private onFrame(frame: Frame): void {
    if (frame.code === code.disconnect) {
      this.closedByPeer(frame.payload)
      return
    }
    const payload = this.compressed ? snappyDecompress(frame.payload, receivedLimit) : frame.payload
    if (frame.code >= code.firstOfProtocols) this.deliver(frame.code, payload)
    else if (frame.code === code.ping) this.send(code.pong, emptyList)
    else if (frame.code !== code.pong) throw new NetError({ code: 'BAD_FRAME', reason: `message ${frame.code}` })
  }

  private closedByPeer(payload: Uint8Array): void {
    const reason = decodeDisconnect(this.compressed ? uncompressed(payload) : payload)
    this.close(reason, 'peer')
    this.socket.destroy()
  }

  private write(code: number, payload: Uint8Array): void {
    if (!this.corked) {
      // Messages of the same event-loop turn are sent together.
      this.corked = true
      this.socket.cork()
      process.nextTick(() => {
        this.corked = false
        this.socket.uncork()
      })
    }
    this.socket.write(this.codec!.encode(code, payload))
  }

  readonly send = (code: number, payload: Uint8Array): boolean => {
    if (this.state !== 'waiting' && this.state !== 'open') return false
    if (this.socket.writableLength > backlogLimit) {
      this.close('timeout', 'us')
      this.socket.destroy()
      return false
    }
    const data = payload.length <= messageLimit && this.compressed ? snappyCompressOnce(payload) : payload
    if (data.length > messageLimit) {
      // The peer would disconnect us.
      this.options.log.error({ peer: this.remoteEnd, code, bytes: payload.length }, 'message is too long to be sent')
      return false
    }
    this.write(code, data)
    return true
  }

  private watch(): void {
    this.cancelTimer = this.options.clock.after(quietInterval, () => {
      if (!this.received && this.pinged) return this.disconnect('timeout')
      this.pinged = !this.received
      this.received = false
      if (this.pinged) this.send(code.ping, emptyList)
      this.watch()
    })
  }

  private close(reason: DisconnectReason, by: ClosedBy): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    this.cancelTimer()
    this.options.onClose(reason, by)
  }

  readonly disconnect = (reason: DisconnectReason): void => {
    if (this.state === 'closed') return
    if (this.codec) {
      const payload = encodeDisconnect(reason)
      this.write(code.disconnect, this.compressed ? snappyCompress(payload) : payload)
      this.socket.end()
      this.socket.resume()
      this.cancelDisconnect = this.options.clock.after(disconnectTime, () => this.socket.destroy())
    } else this.socket.destroy()
    this.close(reason, 'us')
  }

  readonly remote: Connection['remote'] = () => this.remoteEnd

  readonly local: Connection['local'] = () => this.localEnd

  readonly accept: Connection['accept'] = (onMessage) => {
    if (this.state !== 'waiting') return
    this.deliver = onMessage
    this.state = 'open'
    this.received = false
    this.watch()
    this.socket.resume()
    // Messages may have arrived together with Hello.
    this.take(emptyBytes)
  }

  readonly backlog: Connection['backlog'] = () => this.socket.writableLength
}

/** Runs RLPx on a socket: handshake, Hello, frames, keepalive. */
export function createConnection(socket: Socket, options: ConnectionOptions): Connection {
  return new RlpxConnection(socket, options)
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
