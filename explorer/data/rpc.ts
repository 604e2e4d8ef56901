/** An error that the node answered. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The server wants a user to log in. */
export class LoginNeeded extends Error {}

/**
 * Asks one node, and gives the request up after so many milliseconds. A node may hang with its connections open, and a browser has only
 * six to one server: those that nobody gives up would keep all that the page asks for away.
 */
export type Ask = <T>(method: string, params?: readonly unknown[], limit?: number) => Promise<T>

interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

interface Waiting {
  readonly method: string
  readonly params: readonly unknown[]
  readonly limit: number
  resolve(value: unknown): void
  reject(error: Error): void
}

const maxBatch = 64

/** Milliseconds that an answer may take: a part of a page that gets none says so, while others are shown. */
const usualLimit = 8000
/** The same for what runs code again or searches an index. */
const longLimit = 60_000
const takesLong = /^(debug|trace|ots|erigon)_|_(getLogs|simulateV1)$/

/** The token of the user who logged in; it is forgotten with the page. */
let token: string | undefined

/** Headers with the token of the user. */
export function authorized(): Record<string, string> {
  return token ? { authorization: `Bearer ${token}` } : {}
}

/** Protocols of a WebSocket, to which a browser adds no headers: the token goes as one of them. */
export function socketProtocols(): string[] {
  return token ? ['quoin', `bearer.${token}`] : []
}

/** Logs in for all later calls. */
export async function login(username: string, password: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('login', { method: 'POST', headers, body: JSON.stringify({ username, password }) })
  if (!response.ok) throw new Error('This name and password are not accepted.')
  token = ((await response.json()) as { token?: string }).token
}

/** Calls to the node whose folder is `base` (empty for the page's own); what is asked in one turn goes in one request. */
export function createAsk(base: string): Ask {
  let queue: Waiting[] = []

  async function post(calls: readonly Waiting[], limit: number): Promise<void> {
    const body = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
    const headers = { 'content-type': 'application/json', ...authorized() }
    const signal = AbortSignal.timeout(limit)
    const response = await fetch(`${base}rpc`, { method: 'POST', headers, body: JSON.stringify(body), signal })
    if (response.status === 401) throw new LoginNeeded('Please log in.')
    const answers = (await response.json()) as Answer | readonly Answer[]
    // A request that is refused as a whole has one answer.
    if (!Array.isArray(answers)) throw errorOf(answers as Answer)
    for (const answer of answers as readonly Answer[]) {
      const call = calls[answer.id]
      if (answer.error) call?.reject(errorOf(answer))
      else call?.resolve(answer.result)
    }
  }

  function flush(): void {
    const calls = queue
    queue = []
    for (const limit of new Set(calls.map((call) => call.limit)))
      flushAll(
        calls.filter((call) => call.limit === limit),
        limit,
      )
  }

  function flushAll(calls: readonly Waiting[], limit: number): void {
    for (let at = 0; at < calls.length; at += maxBatch) {
      const batch = calls.slice(at, at + maxBatch)
      post(batch, limit).catch((error: unknown) => {
        const failure = error instanceof RpcError || error instanceof LoginNeeded ? error : unreachable(error, limit)
        for (const call of batch) call.reject(failure)
      })
    }
  }

  return <T>(
    method: string,
    params: readonly unknown[] = [],
    limit = takesLong.test(method) ? longLimit : usualLimit,
  ) =>
    new Promise<T>((resolve, reject) => {
      if (queue.length === 0) setTimeout(flush)
      queue.push({ method, params, limit, resolve: resolve as (value: unknown) => void, reject })
    })
}

function errorOf({ error }: Answer): RpcError {
  return new RpcError(error?.code ?? -32603, error?.message ?? 'The node sent an answer without a result.', error?.data)
}

function unreachable(cause: unknown, limit: number): Error {
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError'
  if (isLate) return new Error(`The node has not answered within ${limit / 1000} s. It may hang, or have much to do.`)
  return new Error('The node does not answer. It may be stopped, or the connection is gone.', { cause })
}
