import { setTimeout as delay } from 'node:timers/promises'
import { BlockFileError } from './fault.ts'

/** Calls a method of a node and returns its result. */
export type AskNode = (method: string, ...params: readonly unknown[]) => Promise<unknown>

/** Milliseconds that an answer may take, and between attempts. */
const patience = 30_000
const pauses = [200, 400, 800, 1600]

/** JSON-RPC of another node over HTTP. A call is repeated where the connection fails, and ends when `stop` is aborted. */
export function createAskNode(url: string, stop: AbortSignal): AskNode {
  const unreachable = (reason: string, cause?: unknown) =>
    new BlockFileError({ code: 'NODE_UNREACHABLE', path: url, reason }, cause)

  async function post(body: string): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([stop, AbortSignal.timeout(patience)]),
    })
    if (!response.ok) throw new Error(`HTTP status ${response.status}`)
    return response.json()
  }

  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    for (let attempt = 0; ; attempt++) {
      let answer: unknown
      try {
        answer = await post(body)
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

/** `fetch` hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  const { code } = (cause ?? {}) as { code?: string }
  return code ?? message
}
