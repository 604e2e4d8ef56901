import type { ErrorObject } from '../jsonrpc/errorObject.ts'
import { idOf } from '../jsonrpc/idText.ts'
import { parseJson } from '../jsonrpc/parseJson.ts'
import { errorReply, successText } from '../jsonrpc/replyText.ts'
import { splitArray } from '../jsonrpc/splitArray.ts'
import { CallError, errorObjectOf, isGatewayFault } from './fault.ts'
import type { Method, OwnMethod } from './methods.ts'
import type { ForeignCalls, OwnCall, OwnRequest } from './readRequest.ts'

/** A response of the signer. */
export interface Reply {
  readonly status: 200 | 504
  readonly body: string
}

export interface AnswerPorts {
  readonly methods: Readonly<Record<OwnMethod, Method>>
  /** Sends a batch to the node and returns the text of its response. */
  askNode(calls: ForeignCalls, signal: AbortSignal): Promise<string>
  /** Called with errors that neither the client nor the node caused. */
  onInternalError(error: unknown, method: string): void
}

/** The response with an error: the node's is passed on with all that it has. */
function errorText(id: string, error: ErrorObject): string {
  return errorReply(id, JSON.stringify(error))
}

/** Answers a request. The calls of a batch run one after another, so that each sees the effects of those before it. */
export async function answer(request: OwnRequest, ports: AnswerPorts, signal: AbortSignal): Promise<Reply> {
  if (request.kind === 'call') return answerCall(request.call, ports, signal)
  const bodies: string[] = []
  for (const part of request.parts)
    if ('texts' in part) bodies.push(...(await answerForeign(part, ports, signal)))
    else bodies.push((await answerCall(part, ports, signal)).body)
  return { status: 200, body: `[${bodies.join(',')}]` }
}

async function answerCall({ id, name, params }: OwnCall, ports: AnswerPorts, signal: AbortSignal): Promise<Reply> {
  try {
    const result = await ports.methods[name](params, signal)
    return { status: 200, body: successText(id, JSON.stringify(result)) }
  } catch (error) {
    const status = error instanceof CallError && isGatewayFault(error.at) ? 504 : 200
    return { status, body: errorText(id, errorOf(error, name, ports)) }
  }
}

/** The responses of the node to a part of a batch. */
async function answerForeign(calls: ForeignCalls, ports: AnswerPorts, signal: AbortSignal): Promise<string[]> {
  try {
    const text = (await ports.askNode(calls, signal)).trim()
    if (text === '') return []
    const json = parseJson(text)
    if (json === undefined) throw new CallError({ code: 'NODE_ANSWER_INVALID', detail: 'it is not JSON' })
    return Array.isArray(json) ? splitArray(text) : [text]
  } catch (error) {
    const object = errorOf(error, 'batch', ports)
    return calls.ids.map((id) => errorText(id, object))
  }
}

function errorOf(error: unknown, method: string, { onInternalError }: AnswerPorts): ErrorObject {
  if (error instanceof CallError) return errorObjectOf(error.at)
  onInternalError(error, method)
  return { code: -32603, message: 'Internal error' }
}

/** The response to a request that could not be passed on to the node; a batch gets one error, without an id. */
export function gatewayReply(text: string, fault: CallError): Reply {
  const id = idOf(parseJson(text), text) ?? 'null'
  return { status: 504, body: errorText(id, errorObjectOf(fault.at)) }
}
