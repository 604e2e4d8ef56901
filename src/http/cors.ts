import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendText } from './sendText.ts'

/** Returns the value of Access-Control-Allow-Origin for an Origin, or undefined if it is not allowed. */
export type CorsCheck = (origin: string) => string | undefined

/** Entries are regular expressions that must match the whole origin; `*` allows all, an empty list none. */
export function createCorsCheck(origins: readonly string[]): CorsCheck {
  if (origins.length === 0) return () => undefined
  if (origins.includes('*')) return () => '*'
  const pattern = new RegExp(`^(?:${origins.join('|')})$`)
  return (origin) => (pattern.test(origin) ? origin : undefined)
}

/**
 * Checks the Origin of a request and sends the header that allows it; answers preflights. `refuse` answers an origin that is
 * not allowed. Returns whether the request is still to be answered.
 */
export function passCors(
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
  cors: CorsCheck,
  refuse: (response: ServerResponse) => void,
): boolean {
  const allowed = cors(origin)
  if (allowed === undefined) {
    refuse(response)
    return false
  }
  response.setHeader('Access-Control-Allow-Origin', allowed)
  if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return true
  response.setHeader('Access-Control-Allow-Headers', '*,content-type')
  sendText(response, 204)
  return false
}
