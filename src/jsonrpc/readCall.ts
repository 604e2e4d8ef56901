import type { JsonObject } from '../primitives/json.ts'
import { type IdText, idTextOf } from './idText.ts'

/** The parameters of a call. */
export type Params = readonly unknown[]

/** A call of a method. */
export interface Call {
  /** Undefined for a notification. */
  readonly id: IdText
  readonly name: string
  readonly params: Params
}

const noParams: Params = []

/** Reads a call; undefined if the object is not a valid one. */
export function readCall(request: JsonObject, numberText: IdText): Call | undefined {
  const { id, method, params, jsonrpc } = request
  if (id !== null && typeof id === 'object') return undefined
  if (typeof id === 'boolean' || method === undefined || method === null || typeof method === 'object') return undefined
  if (typeof jsonrpc === 'object' && jsonrpc !== null) return undefined
  if (params !== undefined && params !== null && !Array.isArray(params)) return undefined
  return { id: idTextOf(id, numberText), name: String(method), params: params ?? noParams }
}

/** The id of the reply to an invalid call: only integers are echoed. */
export function idOfInvalid({ id }: JsonObject, numberText: IdText): string {
  if (typeof id !== 'number' || !Number.isInteger(id)) return 'null'
  return numberText === undefined || /[.eE]/.test(numberText) ? String(id) : numberText
}
