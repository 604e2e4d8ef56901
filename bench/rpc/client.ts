import { request } from 'node:https'
import { text } from 'node:stream/consumers'

interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** One call: a method and its parameters. */
export type Call = readonly [method: string, ...params: unknown[]]

/** The text of one request, or of a batch. */
export function requestBody(call: Call | readonly Call[], id = 1): string {
  const object = ([method, ...params]: Call, id: number) => ({ jsonrpc: '2.0', id, method, params })
  return JSON.stringify(isBatch(call) ? call.map(object) : object(call, id))
}

export const isBatch = (call: Call | readonly Call[]): call is readonly Call[] => Array.isArray(call[0])

/** A client that throws what goes wrong. */
export interface Client {
  call<T>(...call: Call): Promise<T>
  batch(calls: readonly Call[]): Promise<unknown[]>
}

/** A client whose requests have these headers. */
export function createClient(url: string, more: Readonly<Record<string, string>> = {}): Client {
  const headers = { 'content-type': 'application/json', ...more }
  async function post(body: string): Promise<unknown> {
    if (url.startsWith('https:')) return JSON.parse(await postSecure(url, headers, body))
    const response = await fetch(url, { method: 'POST', headers, body })
    return response.json()
  }
  function resultOf({ result, error }: Reply): unknown {
    if (error) throw new Error(`${url}: ${error.code} ${error.message}`)
    return result
  }
  return {
    call: async <T>(...call: Call) => resultOf((await post(requestBody(call))) as Reply) as T,
    batch: async (calls) => ((await post(requestBody(calls))) as Reply[]).map(resultOf),
  }
}

/** Posts to a server whose certificate nobody has signed. */
function postSecure(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers, rejectUnauthorized: false }, (response) =>
      resolve(text(response)),
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** Asks until there is an answer other than null and false. */
export async function until<T>(ask: () => Promise<T | null | false>, seconds = 30): Promise<T> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== false) return answer
    if (Date.now() > end) throw new Error(`no answer in ${seconds} s`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
