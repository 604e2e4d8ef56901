import { parseJson } from '../jsonrpc/parseJson.ts'
import { isJsonObject, type JsonObject } from '../primitives/json.ts'
import type { QueryRequest } from './execute.ts'

/** Why a request is malformed. */
export interface Undecodable {
  readonly problem: string
}

const members = ['query', 'operationName', 'variables']

/** Reads the members of a request; null is the same as absent. */
function requestOf(json: JsonObject): QueryRequest | Undecodable {
  const unknown = Object.keys(json).find((name) => !members.includes(name))
  if (unknown !== undefined) return { problem: `Unrecognized field "${unknown}"` }
  const query = json['query'] ?? ''
  const operationName = json['operationName'] ?? undefined
  const variables = json['variables'] ?? undefined
  if (typeof query !== 'string') return { problem: 'query is not a string' }
  if (operationName !== undefined && typeof operationName !== 'string')
    return { problem: 'operationName is not a string' }
  if (variables !== undefined && !isJsonObject(variables)) return { problem: 'variables is not an object' }
  return { query, operationName, variables }
}

/** Reads the body of a POST: JSON, or else the text of a query. */
export function readPosted(type: string | undefined, text: string): QueryRequest | Undecodable {
  if (!/^application\/json\b/i.test(type?.trim() ?? ''))
    return { query: text, operationName: undefined, variables: undefined }
  const json = parseJson(text)
  return isJsonObject(json) ? requestOf(json) : { problem: json === undefined ? 'not JSON' : 'not a JSON object' }
}

/** Reads the parameters of a URL. */
export function readParameters(parameters: URLSearchParams): QueryRequest | Undecodable {
  const query = parameters.get('query') ?? ''
  const operationName = parameters.get('operationName') ?? undefined
  const text = parameters.get('variables')
  if (text === null || text === '') return { query, operationName, variables: undefined }
  return requestOf({ query, operationName, variables: parseJson(text) ?? false })
}
