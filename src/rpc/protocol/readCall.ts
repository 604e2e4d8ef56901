import { echoNumber } from './idText.ts'

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>
/** Text of an id; undefined if there is none. */
export type IdText = string | undefined

/** The id of the reply as JSON text; undefined for a notification. */
function idTextOf(request: Json, numberText: IdText): IdText {
  const { id } = request
  if (typeof id === 'number') return numberText === undefined ? String(id) : echoNumber(numberText)
  if (typeof id === 'string') return JSON.stringify(id)
  return id === null ? 'null' : undefined
}

/** The parameters of a call. */
export type Params = readonly unknown[]

/** A call of a method. */
export interface Call {
  readonly id: IdText
  readonly name: string
  readonly params: Params
}

const noParams: Params = []

/** Reads a call; undefined if the object is not a valid one. */
export function readCall(request: Json, numberText: IdText): Call | undefined {
  const { id, method, params, jsonrpc } = request
  if (id !== null && typeof id === 'object') return undefined
  if (typeof id === 'boolean' || method === undefined || method === null || typeof method === 'object') return undefined
  if (typeof jsonrpc === 'object' && jsonrpc !== null) return undefined
  if (params !== undefined && params !== null && !Array.isArray(params)) return undefined
  return { id: idTextOf(request, numberText), name: String(method), params: params ?? noParams }
}

/** The id of the reply to an invalid call: only integers are echoed. */
export function idOfInvalid({ id }: Json, numberText: IdText): string {
  if (typeof id !== 'number' || !Number.isInteger(id)) return 'null'
  return numberText === undefined || /[.eE]/.test(numberText) ? String(id) : numberText
}

/** Whether a value is an object of JSON. */
export const isObject = (json: unknown): json is Json =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
