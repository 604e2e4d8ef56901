import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { parseJson } from '../http/parseJson.ts'
import { CallError, type NodeErrorObject } from './fault.ts'

/** A request as it is sent to the node. */
export interface Outgoing {
  readonly method: 'GET' | 'POST'
  /** Path and query, as they stand in the request line; that of the node's JSON-RPC if undefined. */
  readonly path?: string | undefined
  readonly headers: OutgoingHttpHeaders
  readonly body?: string | undefined
}

/** The node's JSON-RPC over HTTP. All calls reject with a CallError. */
export interface NodeClient {
  /** Resolves with the response as soon as its headers have arrived. */
  open(outgoing: Outgoing, signal: AbortSignal): Promise<IncomingMessage>
  /** Sends the text of a request and returns the text of the response. */
  ask(body: string, signal: AbortSignal): Promise<string>
  /** Returns the result of a call; an error of the node becomes NODE_ERROR. */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>
  close(): void
}

/** Connections to the node: fewer than the 80 that a node accepts. */
const maxSockets = 64

/** Creates a client of the node at an HTTP or HTTPS URL. */
export function createNodeClient(url: URL): NodeClient {
  const isTls = url.protocol === 'https:'
  const agent = isTls ? new TlsAgent({ keepAlive: true, maxSockets }) : new Agent({ keepAlive: true, maxSockets })
  const start = isTls ? tlsRequest : request

  function open(outgoing: Outgoing, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { method, path = url.pathname + url.search, headers, body } = outgoing
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
      const sent: ClientRequest = start(url, {
        method,
        path,
        headers: { ...headers, ...length },
        agent,
        signal,
      })
      sent.on('response', resolve)
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The node has closed a connection that was idle, before it saw the request.
        if (sent.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted) resolve(open(outgoing, signal))
        else reject(connectionFault(signal, error))
      })
      sent.end(body)
    })
  }

  async function ask(body: string, signal: AbortSignal): Promise<string> {
    const headers = { 'Content-Type': 'application/json' }
    const response = await open({ method: 'POST', headers, body }, signal)
    try {
      return await text(response)
    } catch (error) {
      throw connectionFault(signal, error)
    }
  }

  return {
    open,
    ask,
    async call(method, params, signal) {
      const answer = parseJson(await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), signal))
      if (typeof answer === 'object' && answer !== null) {
        if ('error' in answer) throw new CallError({ code: 'NODE_ERROR', error: answer.error as NodeErrorObject })
        if ('result' in answer) return answer.result
      }
      throw new CallError({ code: 'NODE_ANSWER_INVALID', detail: `${method} did not return JSON-RPC` })
    },
    close: () => agent.destroy(),
  }
}

function connectionFault(signal: AbortSignal, cause: unknown): CallError {
  return new CallError({ code: signal.aborted ? 'NODE_TIMED_OUT' : 'NODE_UNREACHABLE' }, cause)
}
