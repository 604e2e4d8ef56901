import { WebSocket } from 'ws'
import type { JsonText } from '../protocol/method.ts'

/** Sends messages to one client in order; no other message comes between the frames of a long one. */
export interface Outbox {
  send(message: JsonText): void
  /** Bytes and characters that the client has not taken yet. */
  waiting(): number
}

/** Creates an outbox; `onDrained` is called after each message that was sent. */
export function createOutbox(client: WebSocket, onDrained: () => void): Outbox {
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
    sendPieces(message[Symbol.iterator]())
  }

  function sendPieces(pieces: Iterator<string>) {
    if (client.readyState !== WebSocket.OPEN) return
    let piece: IteratorResult<string>
    try {
      piece = pieces.next()
    } catch {
      // Part of the message is sent already: close the connection.
      return client.terminate()
    }
    if (!piece.done) return client.send(piece.value, { fin: false }, () => sendPieces(pieces))
    client.send('', { fin: true }, onDrained)
    next()
  }

  return {
    send(message) {
      if (client.readyState !== WebSocket.OPEN) return
      if (!streaming) return transmit(message)
      queue.push(message)
      if (typeof message === 'string') queued += message.length
    },
    waiting: () => client.bufferedAmount + queued,
  }
}
