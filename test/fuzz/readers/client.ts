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
  close(): void
}

const textOf = (calls: readonly Call[], first: number) =>
  JSON.stringify(calls.map(([method, ...params], i) => ({ jsonrpc: '2.0', id: first + i, method, params })))

/** A client over HTTP; a single call is not sent as a batch. */
export function connectHttp(url: string): Client {
  return {
    async send(calls) {
      const text = textOf(calls, 1)
      const body = calls.length === 1 ? text.slice(1, -1) : text
      const reply: unknown = await (await fetch(url, { method: 'POST', body })).json()
      return (Array.isArray(reply) ? reply : [reply]) as Reply[]
    },
    close() {},
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
      const text = textOf(calls, first)
      return new Promise((resolve) => {
        waiting.set(first, resolve)
        socket.send(calls.length === 1 ? text.slice(1, -1) : text)
      })
    },
    close: () => socket.close(),
  }
  await client.send([['eth_subscribe', 'newHeads']])
  return client
}
