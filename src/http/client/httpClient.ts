import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http'
import { type AgentOptions, request as requestHttps, Agent as TlsAgent } from 'node:https'
import { addAbortSignal, type Readable } from 'node:stream'

/** A request as it is sent. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query, as they stand in the request line; those of the URL if undefined. */
  readonly path?: string | undefined
  readonly headers?: OutgoingHttpHeaders | undefined
  readonly body?: string | Uint8Array | Readable | undefined
}

/** What an answer may cost. */
export interface AnswerLimits {
  /** Milliseconds that the whole answer may take. */
  readonly timeout?: number | undefined
  /** Bytes of the longest answer that is read. */
  readonly maxAnswer: number
  /** Whether the same request goes to another place if the server says so (307, 308). */
  readonly redirects?: boolean
  /** Ends the request early. */
  readonly signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly body: Buffer
  readonly headers: IncomingMessage['headers']
  /** This machine's address on the connection. */
  readonly localAddress: string
}

/** Calls HTTP servers. What is sent may arrive twice: see `isStale`. */
export interface HttpClient {
  /** Resolves with the answer as soon as its headers have arrived. */
  open(url: URL, request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage>
  /** Resolves with the whole answer; rejects if the server cannot be reached, is too slow or answers too much. */
  ask(url: URL, request: HttpRequest, limits: AnswerLimits): Promise<HttpAnswer>
  close(): void
}

/** How connections are made: `maxSockets` to one server, `ca` it is trusted by, `lookup` of its name. */
export type HttpClientOptions = Pick<AgentOptions, 'keepAlive' | 'maxSockets' | 'lookup' | 'ca'>

/** Creates a client that keeps its connections; `tls` makes those to https addresses. */
export function createHttpClient(options: HttpClientOptions = {}, tls?: TlsAgent): HttpClient {
  const all = { keepAlive: true, ...options }
  const agents = { plain: new Agent(all), tls: tls ?? new TlsAgent(all) }

  function open(url: URL, { method, path, headers, body }: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const isTls = url.protocol === 'https:'
    const length = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : undefined
    const all = length === undefined ? headers : { ...headers, 'content-length': length }
    return new Promise((resolve, reject) => {
      const request = isTls ? requestHttps : requestHttp
      const agent = isTls ? agents.tls : agents.plain
      const sent = request(url, { method, agent, signal, headers: all ?? {}, ...(path !== undefined && { path }) })
      sent.on('response', resolve)
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (signal.aborted) reject(signal.reason)
        else if (sent.reusedSocket && isStale(error) && !isStream(body))
          resolve(open(url, { method, path, headers, body }, signal))
        else reject(error)
      })
      if (isStream(body)) body.pipe(sent)
      else sent.end(body)
    })
  }

  return {
    open,
    async ask(url, request, { timeout, maxAnswer, redirects = false, signal }) {
      const late = new AbortController()
      const timer =
        timeout === undefined
          ? undefined
          : setTimeout(() => late.abort(new Error(`no answer within ${timeout} ms`)), timeout)
      const end = signal ? AbortSignal.any([signal, late.signal]) : late.signal
      try {
        let answer = await open(url, request, end)
        for (let at = url; redirects && isRedirect(answer); ) {
          answer.resume()
          at = new URL(answer.headers.location!, at)
          answer = await open(at, request, end)
        }
        const { statusCode = 0, headers, socket } = answer
        const localAddress = socket.localAddress ?? ''
        const body = await readWithin(addAbortSignal(end, answer), maxAnswer)
        return { status: statusCode, headers, body, localAddress }
      } catch (error) {
        throw end.aborted ? end.reason : error
      } finally {
        clearTimeout(timer)
      }
    },
    close() {
      agents.plain.destroy()
      agents.tls.destroy()
    },
  }
}

/** Whether the server has closed an idle connection just when it was used, most likely before it saw the request. */
function isStale({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

const isRedirect = ({ statusCode, headers: { location } }: IncomingMessage): boolean =>
  (statusCode === 307 || statusCode === 308) && location !== undefined

function isStream(body: HttpRequest['body']): body is Readable {
  return typeof body === 'object' && 'pipe' in body
}

/** The answer is longer than it may be. */
export class TooLongError extends Error {}

async function readWithin(answer: AsyncIterable<Buffer>, max: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer) {
    length += part.length
    if (length > max) throw new TooLongError(`the answer has more than ${max} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
