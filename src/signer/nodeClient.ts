import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHttpClient } from '../http/client/httpClient.ts'
import { passOn } from '../http/client/passOn.ts'
import { sendJson } from '../http/sendJson.ts'
import { callRemote } from '../jsonrpc/remoteCall.ts'
import { gatewayReply } from './answer.ts'
import { CallError } from './fault.ts'

/** The node's JSON-RPC over HTTP. All calls reject with a CallError. */
export interface NodeClient {
  /** Sends the text of a request and returns the text of the response. */
  ask(body: string, signal: AbortSignal): Promise<string>
  /** Returns the result of a call; an error of the node becomes NODE_ERROR. */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>
  /** Passes a request on to the node, and its response back, byte for byte. */
  pass(request: IncomingMessage, response: ServerResponse, options: PassOptions): void
  close(): void
}

export interface PassOptions {
  /** Where at the node; its JSON-RPC if undefined. */
  readonly path?: string | undefined
  /** Undefined for GET. */
  readonly body?: string
  /** Milliseconds that the node may take to answer. */
  readonly timeout: number
}

/** Connections to the node: fewer than the 80 that a node accepts. */
const maxSockets = 64
const headers = { 'content-type': 'application/json' }

/** Creates a client of the node at an HTTP or HTTPS URL. */
export function createNodeClient(url: URL): NodeClient {
  const client = createHttpClient({ maxSockets })

  async function ask(body: string, signal: AbortSignal): Promise<string> {
    try {
      // The node decides how long a response may be.
      const limits = { maxAnswer: Number.POSITIVE_INFINITY, signal }
      return (await client.ask(url, { method: 'POST', headers, body }, limits)).body.toString()
    } catch (error) {
      throw connectionFault(signal, error)
    }
  }

  return {
    ask,
    async call(method, params, signal) {
      const reply = await callRemote(ask, method, params, signal)
      if (!reply) throw new CallError({ code: 'NODE_ANSWER_INVALID', detail: `${method} did not return JSON-RPC` })
      if ('error' in reply) throw new CallError({ code: 'NODE_ERROR', error: reply.error })
      return reply.result
    },
    pass(request, response, { path, body, timeout }) {
      void passOn(client, request, response, {
        url,
        method: body === undefined ? 'GET' : 'POST',
        path,
        body,
        timeout,
        headers: ['Vary', 'origin'],
        onFailure(error, signal) {
          const reply = gatewayReply(body ?? '', connectionFault(signal, error))
          sendJson(response, reply.status, reply.body, { gzip: false, pretty: false })
        },
      })
    },
    close: client.close,
  }
}

function connectionFault(signal: AbortSignal, cause: unknown): CallError {
  return new CallError({ code: signal.aborted ? 'NODE_TIMED_OUT' : 'NODE_UNREACHABLE' }, cause)
}
