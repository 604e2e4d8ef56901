import { useEffect, useState } from 'preact/hooks'
import type { Header } from './objects.ts'
import { type Ask, socketProtocols } from './rpc.ts'
import { useSite } from './session.ts'

/** How news of blocks come: over WebSocket, by asking again and again, or not at all. */
export type Liveness = 'connecting' | 'live' | 'polling' | 'lost'

export interface HeadState {
  readonly number: number | undefined
  readonly timestamp: number
  /** When the head came to this page, in milliseconds; the first one, when it was made. */
  readonly seenAt: number
  readonly liveness: Liveness
}

/** Follows the head of a node's chain. */
export interface HeadStore {
  readonly current: HeadState
  follow(listener: (state: HeadState) => void): () => void
  stop(): void
}

const pollMs = 2000
/** A node that hangs has its connections open, and never answers. */
const pollTimeoutMs = 5000
const retryMs = 5000

/** Follows heads over WebSocket, and by polling while there is no connection. */
export function createHead(base: string, ask: Ask): HeadStore {
  const listeners = new Set<(state: HeadState) => void>()
  let current: HeadState = { number: undefined, timestamp: 0, seenAt: Date.now(), liveness: 'connecting' }
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  function set(change: Partial<HeadState>): void {
    current = { ...current, ...change }
    for (const listener of listeners) listener(current)
  }

  function take(header: Header, liveness: Liveness): void {
    const number = Number(header.number)
    if (number === current.number && liveness === current.liveness) return
    const timestamp = Number(header.timestamp)
    const isFirst = current.number === undefined
    const seenAt = number === current.number ? current.seenAt : isFirst ? timestamp * 1000 : Date.now()
    set({ number, timestamp, seenAt, liveness })
  }

  function connect(): void {
    if (stopped) return
    const url = new URL(`${base}ws`, document.baseURI)
    url.protocol = url.protocol.replace('http', 'ws')
    socket = new WebSocket(url, socketProtocols())
    const subscribe = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }
    socket.onopen = () => socket?.send(JSON.stringify(subscribe))
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as { error?: unknown; params?: { result: Header } }
      if (message.error) return socket?.close()
      if (message.params) take(message.params.result, 'live')
      else set({ liveness: 'live' })
    }
    socket.onclose = () => {
      socket = undefined
      if (stopped) return
      if (current.liveness === 'live' || current.liveness === 'connecting') set({ liveness: 'polling' })
      setTimeout(connect, retryMs)
    }
  }

  async function poll(): Promise<void> {
    try {
      // While heads come over the socket, this only fills the gap between loading and the first of them.
      if (current.liveness !== 'live' || current.number === undefined) {
        const header = await ask<Header>('eth_getBlockByNumber', ['latest', false], pollTimeoutMs)
        take(header, current.liveness === 'live' ? 'live' : socket ? current.liveness : 'polling')
      }
    } catch {
      set({ liveness: 'lost' })
    }
    if (!stopped) timer = setTimeout(poll, pollMs)
  }

  connect()
  void poll()
  return {
    get current() {
      return current
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}

/** The head of the shown node. */
export function useHead(): HeadState {
  const { head } = useSite()
  const [state, setState] = useState(head.current)
  useEffect(() => {
    setState(head.current)
    return head.follow(setState)
  }, [head])
  return state
}
