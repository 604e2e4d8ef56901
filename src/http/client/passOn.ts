import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { HttpClient, HttpRequest } from './httpClient.ts'

/** Headers of a request and of an answer that are passed on; all others belong to one connection. */
const requestHeaders = ['accept', 'accept-encoding', 'authorization', 'content-type'] as const
const answerHeaders = ['content-encoding', 'content-length', 'content-type'] as const

export interface PassOptions extends Pick<HttpRequest, 'method' | 'path' | 'body'> {
  readonly url: URL
  /** Milliseconds that the other server may take to begin its answer, and to go on with it. */
  readonly timeout: number
  /** Headers that the answer gets besides, name after name and value. */
  readonly headers?: readonly string[]
  /** Called with what went wrong, as long as the client waits for an answer. */
  readonly onFailure: (error: unknown, signal: AbortSignal) => void
}

/** Passes a request on to another server, and its answer back, byte for byte. */
export async function passOn(
  client: HttpClient,
  request: IncomingMessage,
  response: ServerResponse,
  { url, method, path, body, timeout, headers = [], onFailure }: PassOptions,
): Promise<void> {
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), timeout)
  // Nobody waits for the answer any more.
  response.once('close', () => ended.abort())
  const kept: OutgoingHttpHeaders = {}
  for (const name of requestHeaders) if (request.headers[name] !== undefined) kept[name] = request.headers[name]
  if (body === request) kept['content-length'] = request.headers['content-length']
  try {
    const answer = await client.open(url, { method, path, headers: kept, body }, ended.signal)
    clearTimeout(timer)
    answer.setTimeout(timeout, () => answer.destroy())
    const passed = [...headers]
    for (const name of answerHeaders) if (answer.headers[name] !== undefined) passed.push(name, answer.headers[name])
    response.writeHead(answer.statusCode!, passed)
    // Part of the answer is sent already: if the rest fails, both connections are closed.
    pipeline(answer, response, () => {})
  } catch (error) {
    clearTimeout(timer)
    if (response.destroyed || response.headersSent) response.destroy()
    else onFailure(error, ended.signal)
  }
}
