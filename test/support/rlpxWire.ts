import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { Enode } from '../../src/net/enode.ts'
import { createFrameCodec, type Frame, type FrameCodec } from '../../src/net/rlpx/frames.ts'
import { initiate } from './localKeys.ts'

/** A connection to a node on a real socket, with nothing but handshake and frames. */
export interface RlpxWire {
  /** Once the handshake is over. */
  send(code: number, payload: Uint8Array): void
  /** Bytes outside any frame. */
  write(bytes: Uint8Array): void
  pause(): void
  resume(): void
  close(): void
  readonly closed: Promise<void>
}

export interface WireOptions {
  onReady(wire: RlpxWire): void
  onFrame(frame: Frame): void
}

const maxFrame = 0xffffff

/** Calls a node and shakes hands. */
export function openWire(key: Uint8Array, { ip, tcpPort, id }: Enode, { onReady, onFrame }: WireOptions): RlpxWire {
  const socket = connect(tcpPort, ip)
  const initiation = initiate(key, id, randomBytes)
  let early: Uint8Array = new Uint8Array(0)
  let codec: FrameCodec | undefined

  const wire: RlpxWire = {
    send: (code, payload) => void socket.write(codec!.encode(code, payload)),
    write: (bytes) => void socket.write(bytes),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
    closed: new Promise((resolve) => socket.on('close', () => resolve())),
  }

  socket.on('error', () => {})
  socket.on('connect', () => socket.write(initiation.auth))
  socket.on('data', (chunk) => {
    if (codec) codec.push(chunk)
    else {
      early = Buffer.concat([early, chunk])
      const agreement = initiation.finish(early)
      if (!agreement) return
      codec = createFrameCodec(agreement.secrets, maxFrame)
      codec.push(early.subarray(agreement.used))
      onReady(wire)
    }
    for (let frame = codec.next(); frame; frame = codec.next()) onFrame(frame)
  })
  return wire
}
