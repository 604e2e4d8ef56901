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
const maxBehind = 32 << 20

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

/** Creates an outbox; `onDrained` is called after each message that was sent. */
export function createOutbox({ client, socket, flusher }: OutboxPorts, onDrained: () => void): Outbox {
  const notifications: Notification[] = []
  const queue: JsonText[] = []
  let queued = 0
  let streaming = false

  function next(): void {
    streaming = false
    while (!streaming && queue.length > 0) {
      const message = queue.shift()!
      if (typeof message === 'string') queued -= message.length
      transmit(message)
    }
  }

  function transmit(message: JsonText) {
    if (typeof message === 'string') return client.send(message, onDrained)
    streaming = true
    void sendPieces(message)
  }

  async function sendPieces(message: Iterable<string>): Promise<void> {
    try {
      for await (const piece of readInTurns(message)) {
        if (client.readyState !== WebSocket.OPEN) return
        await sendPiece(piece)
      }
    } catch {
      // Part of the message is sent already: close the connection.
      return client.terminate()
    }
    if (client.readyState !== WebSocket.OPEN) return
    client.send('', { fin: true }, onDrained)
    next()
  }

  function sendPiece(piece: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => client.send(piece, { fin: false, binary: false }, () => resolve()))
  }

  function send(message: JsonText): void {
    if (client.readyState !== WebSocket.OPEN) return
    const before = take()
    if (before) socket.write(before)
    if (!streaming) {
      transmit(message)
      return
    }
    queue.push(message)
    if (typeof message === 'string') queued += message.length
  }

  const waiting = () => client.bufferedAmount + queued

  /** Whether the client takes notifications; one that is too slow does not any more. */
  function keepsUp(): boolean {
    if (waiting() > maxBehind) client.terminate()
    return client.readyState === WebSocket.OPEN
  }

  function take(): Buffer | undefined {
    if (notifications.length === 0) return undefined
    const frames = keepsUp() ? framesOf(notifications) : undefined
    notifications.length = 0
    return frames
  }

  // The library costs more than the rest: of thousands of clients, the last one waits for all others.
  const collector = { socket, take }

  return {
    send,
    notify(notification) {
      if (streaming) {
        if (keepsUp()) send(notificationText(notification))
      } else if (notifications.push(notification) === 1) flusher.add(collector)
    },
    waiting,
  }
}
