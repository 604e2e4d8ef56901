import type { Socket } from 'node:net'
import { readInTurns } from '../../http/readInTurns.ts'
import type { JsonText } from '../../jsonrpc/replyText.ts'
import { notificationText } from '../events/notification.ts'
import { maxBehind, type Outbox } from './outbox.ts'

/** Sends messages over a stream in order, each with a line feed behind it, as geth does; `onDrained` is called after each. */
export function createIpcOutbox(socket: Socket, onDrained: () => void): Outbox {
  const queue: JsonText[] = []
  let queued = 0
  let isStreaming = false

  const isOpen = () => !socket.destroyed && socket.writable
  const write = (text: string | Uint8Array) => new Promise<void>((resolve) => socket.write(text, () => resolve()))

  function next(): void {
    while (!isStreaming && queue.length > 0) {
      const message = queue.shift()!
      if (typeof message === 'string') queued -= message.length
      transmit(message)
    }
  }

  function transmit(message: JsonText): void {
    if (typeof message === 'string') return void socket.write(`${message}\n`, onDrained)
    isStreaming = true
    void stream(message)
  }

  async function stream(message: Iterable<string>): Promise<void> {
    try {
      for await (const piece of readInTurns(message)) {
        if (!isOpen()) return
        await write(piece)
      }
    } catch {
      // Part of the message is sent already: close the connection.
      return void socket.destroy()
    }
    if (!isOpen()) return
    socket.write('\n', onDrained)
    isStreaming = false
    next()
  }

  function send(message: JsonText): void {
    if (!isOpen()) return
    if (!isStreaming) {
      transmit(message)
      return
    }
    queue.push(message)
    if (typeof message === 'string') queued += message.length
  }

  const waiting = () => socket.writableLength + queued

  return {
    send,
    waiting,
    notify(notification) {
      if (waiting() > maxBehind) socket.destroy()
      else send(notificationText(notification))
    },
  }
}
