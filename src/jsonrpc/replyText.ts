import type { ErrorObject } from './errorObject.ts'

/** JSON text: one string, or many pieces if it is long. */
export type JsonText = string | Iterable<string>

/** A reply with an error. */
export function failureText(id: string, { code, message, data }: ErrorObject): string {
  const more = data === undefined ? '' : `,"data":${JSON.stringify(data)}`
  return errorReply(id, `{"code":${code},"message":${JSON.stringify(message)}${more}}`)
}

/** A reply with the text of an error, which another server may have written. */
export function errorReply(id: string, error: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${error}}`
}

/** A reply with a result. */
export function successText(id: string, result: string): string
export function successText(id: string, result: JsonText): JsonText
export function successText(id: string, result: JsonText): JsonText {
  const head = `{"jsonrpc":"2.0","id":${id},"result":`
  return typeof result === 'string' ? `${head}${result}}` : wrap(head, result, '}')
}

function* wrap(head: string, body: Iterable<string>, tail: string): Generator<string> {
  yield head
  yield* body
  yield tail
}

/** The reply to a batch. */
export function batchText(parts: readonly JsonText[]): JsonText {
  if (parts.every((part) => typeof part === 'string')) return `[${parts.join(',')}]`
  return joinPieces(parts)
}

function* joinPieces(parts: readonly JsonText[]): Generator<string> {
  for (const [i, part] of parts.entries()) {
    yield i ? ',' : '['
    if (typeof part === 'string') yield part
    else yield* part
  }
  yield ']'
}
