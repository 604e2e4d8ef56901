import { WebSocket } from 'ws'
import type { DevNode } from '../../support/devNode.ts'

/** Text that a node sent, with the status of the reply where it came over HTTP. */
export interface Message {
  readonly text: string
  readonly status?: number
}

/** A way to talk with a node. */
export interface Conversation {
  send(request: string): void
  /** The next message that comes back, in order. */
  next(): Promise<Message>
  close(): void
}

export function talkOverHttp({ url }: DevNode): Conversation {
  const replies: Promise<Message>[] = []
  async function post(body: string): Promise<Message> {
    const response = await fetch(url, { method: 'POST', body })
    return { status: response.status, text: await response.text() }
  }
  return {
    send: (request) => void replies.push(post(request)),
    next: () => replies.shift() ?? Promise.reject(new Error('HTTP gives one answer to a request')),
    close: () => {},
  }
}

export async function talkOverWs({ wsUrl }: DevNode): Promise<Conversation> {
  const socket = new WebSocket(wsUrl)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  const messages: string[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    messages.push(String(data))
    wake()
  })
  return {
    send: (request) => socket.send(request),
    async next() {
      while (messages.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return { text: messages.shift()! }
    },
    close: () => socket.close(),
  }
}
