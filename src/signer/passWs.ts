import { WebSocket } from 'ws'
import { idOf } from '../jsonrpc/idText.ts'
import { parseJson } from '../jsonrpc/parseJson.ts'
import { splitArray } from '../jsonrpc/splitArray.ts'
import { CallError } from './fault.ts'
import type { ForeignCalls } from './readRequest.ts'

/** Bytes that wait for one side above which the other side is not read. */
const maxBacklog = 4 << 20

/** The node's end of a client's WebSocket connection. */
export interface Upstream {
  /** Passes a message of the client on. */
  pass(data: Buffer, binary: boolean): void
  /** Sends a part of a batch and resolves with the response, which the client does not get. */
  ask(calls: ForeignCalls, signal: AbortSignal): Promise<string>
}

/** Opens a connection to the node; rejects with a CallError. */
export function dialNode(url: URL, timeout: number): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    // The node decides how long a response may be, as it does over HTTP.
    const socket = new WebSocket(url, { handshakeTimeout: timeout, perMessageDeflate: false, maxPayload: 0 })
    socket.once('open', () => resolve(socket))
    socket.on('error', (error) => reject(new CallError({ code: 'NODE_UNREACHABLE' }, error)))
  })
}

/** Connects both sides: what the node sends goes to the client, and if one side closes, so does the other. */
export function connectSides(client: WebSocket, node: WebSocket): Upstream {
  const waiting = new Set<{ readonly ids: string; readonly resolve: (text: string) => void }>()

  node.on('message', (data: Buffer, binary) => {
    if (waiting.size === 0 || !settle(data.toString())) forward(node, client, data, binary)
  })
  node.on('close', (code, reason) => client.close(passable(code), reason))
  client.on('close', (code, reason) => node.close(passable(code), reason))

  /** Whether the text is the response to a part of a batch. */
  function settle(text: string): boolean {
    if (!/^\s*\[/.test(text) || !Array.isArray(parseJson(text))) return false
    const ids = splitArray(text).map((item) => idOf(JSON.parse(item), item))
    const found = [...waiting].find((one) => one.ids === ids.join())
    found?.resolve(text)
    return found !== undefined
  }

  return {
    pass: (data, binary) => forward(client, node, data, binary),
    ask({ texts, ids }, signal) {
      node.send(`[${texts.join(',')}]`)
      // Calls without an id are not answered.
      if (ids.length === 0) return Promise.resolve('')
      return new Promise((resolve, reject) => {
        const end = (finish: () => void) => {
          waiting.delete(one)
          signal.removeEventListener('abort', onAbort)
          finish()
        }
        const one = { ids: ids.join(), resolve: (text: string) => end(() => resolve(text)) }
        const onAbort = () => end(() => reject(new CallError({ code: 'NODE_TIMED_OUT' })))
        waiting.add(one)
        signal.addEventListener('abort', onAbort)
      })
    },
  }
}

/** Sends a message; while the other side does not keep up, no more is read. */
function forward(from: WebSocket, to: WebSocket, data: Buffer, binary: boolean): void {
  if (to.readyState !== WebSocket.OPEN) return
  to.send(data, { binary }, () => {
    if (from.isPaused && to.bufferedAmount < maxBacklog) from.resume()
  })
  if (to.bufferedAmount >= maxBacklog) from.pause()
}

/** Codes that a WebSocket reports but must not send stand for a connection that was lost. */
function passable(code: number): number {
  return (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) || code >= 3000 ? code : 1001
}
