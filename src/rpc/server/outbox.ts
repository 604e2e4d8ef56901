import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { readInTurns } from '../../http/readInTurns.ts'
import type { JsonText } from '../../jsonrpc/replyText.ts'
import { type Notification, notificationText, writeNotification } from '../events/notification.ts'
import type { Flusher } from './flusher.ts'

/** Sends messages to one client in order; no other message comes between the frames of a long one. */
export interface Outbox {
  send(message: JsonText): void
  /** Sends a notification, together with others of this turn of the event loop. Who does not keep up with them is disconnected. */
  notify(notification: Notification): void
  /** Bytes and characters that the client has not taken yet. */
  waiting(): number
}

/** Where the messages of a client go: frames are written to the socket by the library, notifications past it. */
export interface OutboxPorts {
  readonly client: WebSocket
  readonly socket: Duplex
  readonly flusher: Flusher
}

/** What a client may be behind with notifications, in bytes and characters: it must not fill the memory of the node. */
export const maxBehind = 32 << 20

/** A final frame of text, which is not masked. */
const finalText = 0x81

const headLength = (length: number): number => (length < 126 ? 2 : length < 1 << 16 ? 4 : 10)

function writeHead(to: Buffer, at: number, length: number): void {
  to[at] = finalText
  if (length < 126) to[at + 1] = length
  else if (length < 1 << 16) {
    to[at + 1] = 126
    to.writeUInt16BE(length, at + 2)
  } else {
    to[at + 1] = 127
    to.writeBigUInt64BE(BigInt(length), at + 2)
  }
}

/** The frames of notifications. */
function framesOf(notifications: readonly Notification[]): Buffer {
  let length = 0
  for (const { bytes } of notifications) length += headLength(bytes.length) + bytes.length
  const frames = Buffer.allocUnsafe(length)
  let at = 0
  for (const one of notifications) {
    writeHead(frames, at, one.bytes.length)
    at += headLength(one.bytes.length)
    writeNotification(one, frames, at)
    at += one.bytes.length
  }
  return frames
}

/** What a WebSocket has still to be sent, and how much of that it may make us hold. */
class ClientOutbox implements Outbox {
  private readonly ports: OutboxPorts
  private readonly onDrained: () => void
  private readonly notifications: Notification[] = []
  private readonly queue: JsonText[] = []
  private queued = 0
  private streaming = false
  // The library costs more than the rest: of thousands of clients, the last one waits for all others.
  private readonly collector

  constructor(ports: OutboxPorts, onDrained: () => void) {
    this.onDrained = onDrained
    this.ports = ports
    this.collector = { socket: ports.socket, take: this.take }
  }

  private next(): void {
    this.streaming = false
    while (!this.streaming && this.queue.length > 0) {
      const message = this.queue.shift()!
      if (typeof message === 'string') this.queued -= message.length
      this.transmit(message)
    }
  }

  private transmit(message: JsonText) {
    if (typeof message === 'string') return this.ports.client.send(message, this.onDrained)
    this.streaming = true
    void this.sendPieces(message)
  }

  private async sendPieces(message: Iterable<string>): Promise<void> {
    try {
      for await (const piece of readInTurns(message)) {
        if (this.ports.client.readyState !== WebSocket.OPEN) return
        await this.sendPiece(piece)
      }
    } catch {
      // Part of the message is sent already: close the connection.
      return this.ports.client.terminate()
    }
    if (this.ports.client.readyState !== WebSocket.OPEN) return
    this.ports.client.send('', { fin: true }, this.onDrained)
    this.next()
  }

  private sendPiece(piece: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.ports.client.send(piece, { fin: false, binary: false }, () => resolve()))
  }

  readonly send = (message: JsonText): void => {
    if (this.ports.client.readyState !== WebSocket.OPEN) return
    const before = this.take()
    if (before) this.ports.socket.write(before)
    if (!this.streaming) {
      this.transmit(message)
      return
    }
    this.queue.push(message)
    if (typeof message === 'string') this.queued += message.length
  }

  readonly waiting: Outbox['waiting'] = () => this.ports.client.bufferedAmount + this.queued

  /** Whether the client takes notifications; one that is too slow does not any more. */
  private keepsUp(): boolean {
    if (this.waiting() > maxBehind) this.ports.client.terminate()
    return this.ports.client.readyState === WebSocket.OPEN
  }

  private readonly take = (): Buffer | undefined => {
    if (this.notifications.length === 0) return undefined
    const frames = this.keepsUp() ? framesOf(this.notifications) : undefined
    this.notifications.length = 0
    return frames
  }

  readonly notify: Outbox['notify'] = (notification) => {
    if (this.streaming) {
      if (this.keepsUp()) this.send(notificationText(notification))
    } else if (this.notifications.push(notification) === 1) this.ports.flusher.add(this.collector)
  }
}

/** Creates an outbox; `onDrained` is called after each message that was sent. */
export function createOutbox(ports: OutboxPorts, onDrained: () => void): Outbox {
  return new ClientOutbox(ports, onDrained)
}
