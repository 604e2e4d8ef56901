import { idOf, numberIdOf } from '../jsonrpc/idText.ts'
import { parseJson } from '../jsonrpc/parseJson.ts'
import { type Call, readCall } from '../jsonrpc/readCall.ts'
import { splitArray } from '../jsonrpc/splitArray.ts'
import { isJsonObject } from '../primitives/json.ts'
import { type OwnMethod, ownMethods } from './methods.ts'

/** A call that the signer answers itself. */
export interface OwnCall extends Call {
  readonly id: string
  readonly name: OwnMethod
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
    const call = readOwnCall(json, text)
    return call && { kind: 'call', call }
  }
  if (json.length > maxBatch || !/^\s*\[/.test(text)) return undefined
  const texts = splitArray(text)
  const parts = json.map((one, i) => readOwnCall(one, texts[i]!) ?? texts[i]!)
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
function readOwnCall(json: unknown, text: string): OwnCall | undefined {
  const call = isJsonObject(json) ? readCall(json, numberIdOf(text)) : undefined
  return call?.id !== undefined && isOwn(call) ? call : undefined
}

const isOwn = (call: Call): call is OwnCall => names.has(call.name)
