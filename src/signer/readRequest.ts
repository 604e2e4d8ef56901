import { parseJson } from '../http/parseJson.ts'
import { echoNumber, hasFragileId, numberIds } from '../rpc/protocol/idText.ts'
import { type OwnMethod, ownMethods } from './methods.ts'

/** A call that the signer answers itself. */
export interface OwnCall {
  /** The id as JSON text. */
  readonly id: string
  readonly method: OwnMethod
  readonly params: readonly unknown[]
}

/** Calls of a batch that follow each other and are for the node, as the client wrote them. */
export interface ForeignCalls {
  readonly texts: readonly string[]
  /** Their ids as JSON text; calls without one are not answered. */
  readonly ids: readonly string[]
}

/** What a request asks of the signer. */
export type OwnRequest =
  | { readonly kind: 'call'; readonly call: OwnCall }
  | { readonly kind: 'batch'; readonly parts: readonly (OwnCall | ForeignCalls)[] }

/** The node refuses larger batches in its own words. */
const maxBatch = 1024

const names: ReadonlySet<string> = new Set(ownMethods)

/** Reads a request; undefined if all of it is for the node, as requests that are invalid are. */
export function readRequest(text: string): OwnRequest | undefined {
  if (!ownMethods.some((name) => text.includes(name))) return undefined
  const json = parseJson(text)
  if (!Array.isArray(json)) {
    const call = readCall(json, text)
    return call && { kind: 'call', call }
  }
  if (json.length > maxBatch || !/^\s*\[/.test(text)) return undefined
  const texts = splitArray(text)
  const parts = json.map((one, i) => readCall(one, texts[i]!) ?? texts[i]!)
  if (parts.every((part) => typeof part === 'string')) return undefined
  return { kind: 'batch', parts: gather(parts) }
}

function gather(parts: readonly (OwnCall | string)[]): (OwnCall | ForeignCalls)[] {
  const gathered: (OwnCall | ForeignCalls)[] = []
  let texts: string[] = []
  const flush = () => {
    if (texts.length > 0) gathered.push({ texts, ids: texts.flatMap((text) => idOf(JSON.parse(text), text) ?? []) })
    texts = []
  }
  for (const part of parts)
    if (typeof part === 'string') texts.push(part)
    else {
      flush()
      gathered.push(part)
    }
  flush()
  return gathered
}

/** A call to be answered here; undefined if it is for the node: another method, a notification, an invalid call. */
function readCall(json: unknown, text: string): OwnCall | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { method, params } = json as Record<string, unknown>
  const id = idOf(json, text)
  if (typeof method !== 'string' || !names.has(method) || id === undefined) return undefined
  if (params !== undefined && params !== null && !Array.isArray(params)) return undefined
  return { id, method: method as OwnMethod, params: params ?? [] }
}

/** The id of a call or response as JSON text; undefined without a valid one. */
export function idOf(json: unknown, text: string): string | undefined {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined
  if (typeof id === 'number') return hasFragileId(text) ? echoNumber(numberIds(text)[0] ?? String(id)) : String(id)
  return typeof id === 'string' || id === null ? JSON.stringify(id) : undefined
}

/** Splits the text of a JSON array, which must be valid, into the texts of its items. */
export function splitArray(text: string): string[] {
  const items: string[] = []
  let depth = 0
  let start = -1
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!
    if (c === '"') {
      if (start < 0) start = at
      while (text[++at] !== '"') if (text[at] === '\\') at++
    } else if (c === '[' || c === '{') {
      if (++depth === 2 && start < 0) start = at
    } else if (c === ']' || c === '}') depth--
    else if (start < 0 && depth === 1 && !/[\s,]/.test(c)) start = at
    if (start >= 0 && ((c === ',' && depth === 1) || depth === 0)) {
      items.push(text.slice(start, at).trimEnd())
      start = -1
    }
  }
  return items
}
