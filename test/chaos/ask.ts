interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** An error that a node answered with; anything else means that there was no answer. */
export class Refused extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Milliseconds for which an answer is waited for: nodes are stopped and killed while they are asked. */
const patience = 5_000

async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(patience)
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
  return response.json()
}

function resultOf({ result, error }: Reply): unknown {
  if (error) throw new Refused(error.code, error.message)
  return result
}

export async function ask<T>(url: string, method: string, ...params: readonly unknown[]): Promise<T> {
  return resultOf((await post(url, { jsonrpc: '2.0', id: 1, method, params })) as Reply) as T
}

export interface AskedBlock {
  readonly hash: string
  readonly transactions: readonly string[]
}

/** Blocks by their numbers; null for those that the node does not have. */
export async function askBlocks(url: string, numbers: readonly number[]): Promise<(AskedBlock | null)[]> {
  if (numbers.length === 0) return []
  const calls = numbers.map((number, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_getBlockByNumber',
    params: [`0x${number.toString(16)}`, false],
  }))
  return ((await post(url, calls)) as Reply[]).map((reply) => resultOf(reply) as AskedBlock | null)
}
