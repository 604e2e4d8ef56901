import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { sendJson } from '../http/sendJson.ts'
import { gatewayReply } from './answer.ts'
import { CallError } from './fault.ts'
import type { NodeClient } from './nodeClient.ts'

/** Headers of a request and of a response that are passed on; all others belong to one connection. */
const requestHeaders = ['accept', 'accept-encoding', 'authorization', 'content-type'] as const
const responseHeaders = ['content-encoding', 'content-length', 'content-type'] as const

export interface PassOptions {
  /** Where at the node; its JSON-RPC if undefined. */
  readonly path?: string | undefined
  /** Undefined for GET. */
  readonly body?: string
  /** Milliseconds that the node may take to answer. */
  readonly timeout: number
}

/** Passes a request on to the node, and its response back, byte for byte. */
export async function passHttp(
  node: NodeClient,
  request: IncomingMessage,
  response: ServerResponse,
  { path, body, timeout }: PassOptions,
): Promise<void> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeout)
  // Nobody waits for the answer any more.
  response.once('close', () => controller.abort())
  const headers: OutgoingHttpHeaders = {}
  for (const name of requestHeaders) if (request.headers[name] !== undefined) headers[name] = request.headers[name]
  try {
    const method = body === undefined ? 'GET' : 'POST'
    const answered = await node.open({ method, path, headers, body }, controller.signal)
    clearTimeout(timer)
    answered.setTimeout(timeout, () => answered.destroy())
    const passed = ['Vary', 'origin']
    for (const name of responseHeaders)
      if (answered.headers[name] !== undefined) passed.push(name, answered.headers[name])
    response.writeHead(answered.statusCode!, passed)
    // Part of the response is sent already: if the rest fails, both connections are closed.
    pipeline(answered, response, () => {})
  } catch (error) {
    clearTimeout(timer)
    if (!(error instanceof CallError) || response.destroyed) return void response.destroy()
    const reply = gatewayReply(body ?? '', error)
    sendJson(response, reply.status, reply.body, { gzip: false, pretty: false })
  }
}
