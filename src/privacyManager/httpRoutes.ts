import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHttpServer } from '../http/httpServer.ts'
import { type Listening, listen, type ServerAddress } from '../http/listen.ts'
import { pathOf } from '../http/pathOf.ts'
import { readBytes } from '../http/requestBody.ts'
import { sendText } from '../http/sendText.ts'
import { parseJson } from '../jsonrpc/parseJson.ts'
import { isJsonObject, type JsonObject } from '../primitives/json.ts'
import { EnclaveError } from '../privacy/enclave/enclave.ts'
import type { Logger } from '../system/logger.ts'
import { refused } from './fault.ts'

/** What a route answers with. */
export interface RouteAnswer {
  readonly status?: number
  readonly type?: string
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** One path and method of an API. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Content types of the request; with any other it is refused, which keeps web pages out. */
  readonly types?: readonly string[]
  /** Bytes of the longest body. */
  readonly maxBody?: number
  answer(body: Buffer, request: IncomingMessage): RouteAnswer | Promise<RouteAnswer>
}

const maxConnections = 500
/** Milliseconds in which an answer must have been given. */
const timeout = 120_000

/** Bytes of the bodies that are in memory at once: of all clients, and of one. */
const maxBodies = 256 << 20
const maxBodiesOfOne = 64 << 20

/** Keeps the bodies that are being read or worked on within a limit. */
function createBodyRoom() {
  const taken = new Map<string, number>()
  let all = 0
  return {
    /** False if there is no room now; what a body takes is given back when its request is over. */
    enter({ headers, socket }: IncomingMessage, response: ServerResponse, max: number): boolean {
      const address = socket.remoteAddress ?? ''
      const announced = Number(headers['content-length'] ?? max)
      // A body that is too long is refused without being kept.
      const size = announced > max ? 0 : announced
      const own = taken.get(address) ?? 0
      if (own + size > maxBodiesOfOne || all + size > maxBodies) return false
      taken.set(address, own + size)
      all += size
      response.once('close', () => {
        const rest = taken.get(address)! - size
        if (rest > 0) taken.set(address, rest)
        else taken.delete(address)
        all -= size
      })
      return true
    },
  }
}

/** Serves the routes of the moment over HTTP; errors are plain text, as Tessera's are. */
export function serveRoutes(
  address: ServerAddress,
  routes: () => readonly Route[],
  log: Logger,
  isAllowed: (request: IncomingMessage) => boolean = () => true,
): Promise<Listening> {
  const room = createBodyRoom()
  const { server } = createHttpServer({ maxConnections, timeout }, (request, response) => {
    if (!isAllowed(request)) return fail(response, 403, 'Host not authorized.')
    const path = pathOf(request.url!)
    const there = routes().filter((route) => route.path === path)
    const route = there.find(({ method }) => method === request.method)
    if (!route)
      return there.length > 0
        ? fail(response, 405, 'HTTP 405 Method Not Allowed')
        : fail(response, 404, 'HTTP 404 Not Found')
    if (!room.enter(request, response, route.maxBody ?? 0)) return fail(response, 503, 'HTTP 503 Service Unavailable')
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (route.types && !route.types.includes(type)) return fail(response, 415, 'HTTP 415 Unsupported Media Type')
    readBytes(request, response, route.maxBody ?? 0, (body) => {
      answer(route, body, request)
        .catch((error: unknown) => answerOf(error, log))
        .then((made) => send(response, made))
    })
  })
  return listen(server, address)
}

async function answer(route: Route, body: Buffer, request: IncomingMessage): Promise<RouteAnswer> {
  return route.answer(body, request)
}

function answerOf(error: unknown, log: Logger): RouteAnswer {
  if (error instanceof EnclaveError && error.at.code === 'ENCLAVE_REFUSED')
    return { status: error.at.status, type: 'text/plain', body: error.at.text }
  log.error({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, 'a request failed')
  return { status: 500, type: 'text/plain', body: error instanceof EnclaveError ? error.at.text : 'Internal error' }
}

function send(response: ServerResponse, { status = 200, type, body = '', headers = {} }: RouteAnswer): void {
  const all = { ...(type !== undefined && { 'Content-Type': type }), 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, { ...all, ...headers }).end(body)
}

function fail(response: ServerResponse, status: number, text: string): void {
  sendText(response, status, 'text/plain', text)
}

/** The members of a JSON object. */
export function jsonObject(body: Buffer): JsonObject {
  const value = parseJson(body.toString())
  if (!isJsonObject(value)) throw refused(400, 'HTTP 400 Bad Request')
  return value
}

/** An answer of JSON. */
export function json(value: unknown): RouteAnswer {
  return { type: 'application/json', body: JSON.stringify(value) }
}

/** Says that the server is there. */
export const upcheck: Route = {
  method: 'GET',
  path: '/upcheck',
  answer: () => ({ type: 'text/plain', body: "I'm up!" }),
}

/** The API versions that Tessera 24.4.2 names, but for the privacy modes that Besu does not use (4.0). */
export const versionApi: Route = {
  method: 'GET',
  path: '/version/api',
  answer: () => json(['1.0', '2.0', '2.1', '3.0', '5.0']),
}
