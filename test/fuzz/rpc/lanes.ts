import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { WebSocket } from 'ws'
import type { Answer } from './judge.ts'

/** A connection on which one request after the other is sent. */
export interface Lane {
  /** Rejects when there is no answer. */
  send(text: string): Promise<Answer>
  close(): void
}

/** Milliseconds after which a request counts as unanswered, also on a machine with other work. */
const patience = 120_000

/** POST over a connection that stays open. */
export function openHttpLane(url: string): Lane {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: (text) =>
      new Promise((resolve, reject) => {
        const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
        const sent = request(url, { method: 'POST', agent, headers }, (response) => {
          const pieces: Buffer[] = []
          response.on('data', (piece: Buffer) => pieces.push(piece))
          response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(pieces).toString() }))
          response.on('error', reject)
        })
        sent.on('error', reject)
        sent.setTimeout(patience, () => sent.destroy(new Error(`no answer in ${patience / 1000} s`)))
        sent.end(text)
      }),
    close: () => agent.destroy(),
  }
}

/** Requests after which a WebSocket is opened anew: subscriptions add up on one. */
const perSocket = 300

/** One message after the other; what subscriptions tell in between is left aside. */
export function openWsLane(url: string): Lane {
  let socket: WebSocket | undefined
  let sent = 0

  async function connected(): Promise<WebSocket> {
    if (socket?.readyState === WebSocket.OPEN && sent++ < perSocket) return socket
    socket?.terminate()
    sent = 0
    socket = new WebSocket(url)
    socket.on('error', () => {})
    await once(socket, 'open')
    return socket
  }

  return {
    async send(text) {
      const at = await connected()
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(() => reject(new Error(`no answer in ${patience / 1000} s`))), patience)
        const onMessage = (data: Buffer) => {
          const text = data.toString()
          if (!text.startsWith('{"jsonrpc":"2.0","method":"eth_subscription"'))
            end(() => resolve({ status: undefined, text }))
        }
        const onClose = (code: number) => end(() => reject(new Error(`the connection was closed with ${code}`)))
        const end = (settle: () => void) => {
          clearTimeout(timer)
          at.off('message', onMessage).off('close', onClose)
          settle()
        }
        at.on('message', onMessage).on('close', onClose)
        at.send(text)
      })
    },
    close: () => socket?.terminate(),
  }
}
