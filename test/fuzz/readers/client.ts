import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { WebSocket } from 'ws'

/** What a client gets to know. */
export interface Reply {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

export type Call = readonly [method: string, ...params: unknown[]]

/** A connection of a client. */
export interface Client {
  send(calls: readonly Call[]): Promise<readonly Reply[]>
  /** Sends a request and disconnects without waiting for the answer. */
  leave(calls: readonly Call[]): void
  close(): void
}

const textOf = (calls: readonly Call[], first: number) =>
  JSON.stringify(calls.map(([method, ...params], i) => ({ jsonrpc: '2.0', id: first + i, method, params })))

const bodyOf = (calls: readonly Call[], first: number) => {
  const text = textOf(calls, first)
  return calls.length === 1 ? text.slice(1, -1) : text
}

/** A client over HTTP, with one connection; a single call is not sent as a batch. */
export function connectHttp(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = (calls: readonly Call[]) => {
    const body = bodyOf(calls, 1)
    const sent = request(url, { method: 'POST', agent, headers: { 'Content-Length': Buffer.byteLength(body) } })
    sent.end(body)
    return sent
  }
  return {
    async send(calls) {
      const sent = post(calls)
      const reply = await new Promise<unknown>((resolve, reject) => {
        sent.on('error', reject).on('response', (response) => json(response).then(resolve, reject))
      })
      return (Array.isArray(reply) ? reply : [reply]) as Reply[]
    },
    leave(calls) {
      const sent = post(calls)
      sent.on('error', () => {}).on('finish', () => setTimeout(() => sent.destroy(), 1))
    },
    close: () => agent.destroy(),
  }
}

/** A client over WebSocket that is told of new heads. */
export async function connectWs(url: string, onHead: (number: number) => void): Promise<Client> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (replies: readonly Reply[]) => void>()
  let lastId = 0
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as unknown
    const event = message as { params?: { result: { number: string } } }
    if (event.params) return onHead(Number(event.params.result.number))
    const replies = (Array.isArray(message) ? message : [message]) as (Reply & { id: number })[]
    const first = replies[0]!.id
    waiting.get(first)?.(replies)
    waiting.delete(first)
  })
  const client: Client = {
    send(calls) {
      const first = lastId + 1
      lastId += calls.length
      return new Promise((resolve) => {
        waiting.set(first, resolve)
        socket.send(bodyOf(calls, first))
      })
    },
    leave(calls) {
      socket.send(bodyOf(calls, lastId + 1), () => socket.terminate())
    },
    close: () => socket.close(),
  }
  await client.send([['eth_subscribe', 'newHeads']])
  return client
}
