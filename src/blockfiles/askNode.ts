import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { askSocket } from './askSocket.ts'
import { BlockFileError } from './fault.ts'

/** Calls a method of a node and returns its result. */
export type AskNode = (method: string, ...params: readonly unknown[]) => Promise<unknown>

/** Milliseconds that an answer may take, and between attempts. */
const patience = 30_000
const pauses = [200, 400, 800, 1600]

/** Whether a place is that of a running node: a URL, or a socket such as geth's IPC. */
export function isNode(place: string): boolean {
  return isUrl(place) || (statSync(place, { throwIfNoEntry: false })?.isSocket() ?? false)
}

const isUrl = (place: string) => /^https?:\/\//i.test(place)

/** JSON-RPC of another node. A call is repeated where the connection fails, and ends when `stop` is aborted. */
export function createAskNode(place: string, stop: AbortSignal): AskNode {
  const unreachable = (reason: string, cause?: unknown) =>
    new BlockFileError({ code: 'NODE_UNREACHABLE', path: place, reason }, cause)
  const send = isUrl(place) ? askUrl : askSocket

  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    for (let attempt = 0; ; attempt++) {
      let answer: unknown
      try {
        answer = await send(place, body, AbortSignal.any([stop, AbortSignal.timeout(patience)]))
      } catch (error) {
        const pause = pauses[attempt]
        if (pause === undefined || stop.aborted) throw unreachable(reasonOf(error), error)
        await delay(pause, undefined, { signal: stop }).catch(() => {})
        continue
      }
      const { result, error } = (answer ?? {}) as { result?: unknown; error?: { message?: string } }
      if (error) throw unreachable(`${method}: ${error.message ?? JSON.stringify(error)}`)
      if (result === undefined) throw unreachable(`${method} did not return JSON-RPC`)
      return result
    }
  }
}

async function askUrl(url: string, body: string, signal: AbortSignal): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body, signal })
  if (!response.ok) throw new Error(`HTTP status ${response.status}`)
  return response.json()
}

/** `fetch` hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  const { code } = (cause ?? {}) as { code?: string }
  return code ?? message
}
