import type { IdText } from '../../jsonrpc/idText.ts'
import { readCall } from '../../jsonrpc/readCall.ts'
import { failureText, type JsonText } from '../../jsonrpc/replyText.ts'
import { isJsonObject } from '../../primitives/json.ts'
import { rpcErrorObject, statusOf } from './codes.ts'
import type { Reply } from './dispatcher.ts'
import { RpcError, type RpcFault } from './fault.ts'

const ok = 200 as const

export const reply = (body: JsonText, status: Reply['status'] = ok): Reply => ({ status, body })

/** The reply that consists of one error. */
export function faultReply(code: RpcFault['code'], id = 'null'): Reply {
  const object = rpcErrorObject(new RpcError({ code } as RpcFault))
  return reply(failureText(id, object), statusOf(object))
}

/** The reply to a client that asks too often, with the id of a single call. */
export function tooMany(json: object, numberText: IdText): Reply {
  const call = isJsonObject(json) ? readCall(json, numberText) : undefined
  return faultReply('TOO_MANY_REQUESTS', call?.id)
}
