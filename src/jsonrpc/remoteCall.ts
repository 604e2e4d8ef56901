import { isJsonObject } from '../primitives/json.ts'
import type { ErrorObject } from './errorObject.ts'
import { parseJson } from './parseJson.ts'

/** Sends the text of a request to a server and returns the text of its answer. */
export type SendText = (body: string, signal: AbortSignal) => Promise<string>

/** What a server replies to a call. */
export type CallReply = { readonly result: unknown } | { readonly error: ErrorObject }

/** The text of a call. */
export function callText(name: string, params: readonly unknown[], id = '1'): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(name)},"params":${JSON.stringify(params)}}`
}

/** Calls a method of a server; undefined if it answers anything but JSON-RPC. */
export async function callRemote(
  send: SendText,
  name: string,
  params: readonly unknown[],
  signal: AbortSignal,
): Promise<CallReply | undefined> {
  return readReply(parseJson(await send(callText(name, params), signal)))
}

function readReply(json: unknown): CallReply | undefined {
  if (!isJsonObject(json)) return undefined
  // Some servers send both members, one of them null.
  if (isJsonObject(json['error'])) return { error: json['error'] as unknown as ErrorObject }
  return json['result'] === undefined ? undefined : { result: json['result'] }
}
