import type { IncomingMessage, ServerResponse } from 'node:http'
import { pathOf } from '../../http/pathOf.ts'
import { readBody } from '../../http/requestBody.ts'
import { acceptsGzip, sendJson } from '../../http/sendJson.ts'
import { sendText } from '../../http/sendText.ts'
import { parseJson } from '../../jsonrpc/parseJson.ts'
import { isJsonObject, type JsonObject } from '../../primitives/json.ts'
import type { Access } from '../../rpc/server/gate.ts'
import { SourceError, type SourceFault } from '../fault.ts'
import type { Answer, Asked, Route, SourcePermission } from './route.ts'
import { errorAnswer } from './sourcifyRoutes.ts'

export interface SourceServerOptions {
  /** Whether anybody may give ABIs where nobody logs in. */
  readonly openAbis: boolean
}

export interface SourceServerParts {
  readonly routes: readonly Route[]
  readonly access: Access
  onInternalError(error: unknown): void
}

/** Answers requests about sources; Host and Origin were checked before. */
export interface SourceServer {
  serves(path: string): boolean
  handle(request: IncomingMessage, response: ServerResponse): void
}

/** Bytes of a request: sources come in one piece, and forms write most of their characters as three. */
const maxBody = 12 << 20

export function createSourceServer({ openAbis }: SourceServerOptions, parts: SourceServerParts): SourceServer {
  const { routes, access, onInternalError } = parts

  /** Who asks, by the token of the header, or by the key that tools of Etherscan send. */
  async function permissions(authorization: string | undefined, key: string | null): Promise<Asked['permit']> {
    const { authority } = access
    if (!authority)
      return (permission) => {
        if (permission === 'sources_share' && !openAbis) throw new SourceError({ code: 'unauthorized' })
      }
    const caller = await authority.callerOf(authorization ?? (key ? `Bearer ${key}` : undefined))
    return (permission: SourcePermission) => {
      if (!caller.may(permission)) throw new SourceError({ code: 'unauthorized' })
    }
  }

  async function answer(request: IncomingMessage, route: Route, text: string | undefined): Promise<Answer> {
    try {
      const { headers, socket } = request
      const { pathname, searchParams: query } = new URL(request.url!, 'http://localhost')
      const { body, fields } = readRequest(route, text, query)
      const permit = await permissions(headers.authorization, fields.get('apikey'))
      const found = route.path.exec(pathOf(pathname))?.slice(1) ?? []
      return await route.answer({ found, query, body, fields, permit, client: socket.remoteAddress ?? '' })
    } catch (error) {
      if (error instanceof SourceError) return { status: statusOf(error.at), json: errorAnswer(error) }
      onInternalError(error)
      return { status: 500, json: errorAnswer(new SourceError({ code: 'internal_error' })) }
    }
  }

  return {
    serves: (path) => routes.some((route) => route.path.test(path)),
    handle(request, response) {
      const found = routes.filter((one) => one.path.test(pathOf(request.url!)))
      const route = found.find(({ method }) => method === request.method)
      if (!route) return sendText(response, 405)
      if (access.rateLimit && !access.rateLimit.spend(request.socket.remoteAddress, 1)) return sendText(response, 429)
      const gzip = acceptsGzip(String(request.headers['accept-encoding'] ?? ''))
      const finish = (text: string | undefined) =>
        void answer(request, route, text).then((one) => send(response, one, gzip))
      if (route.method === 'GET') finish('')
      else readBody(request, response, maxBody, finish)
    },
  }
}

function send(response: ServerResponse, answer: Answer, gzip: boolean): void {
  response.setHeader('Cache-Control', 'no-store')
  if ('json' in answer) sendJson(response, answer.status, JSON.stringify(answer.json), { gzip, pretty: false })
  else {
    response.setHeader('Location', answer.location)
    sendText(response, answer.status)
  }
}

function readRequest(
  { body }: Route,
  text: string | undefined,
  query: URLSearchParams,
): { readonly body: JsonObject; readonly fields: URLSearchParams } {
  const fields = new URLSearchParams(query)
  if (body === 'form') for (const [name, value] of new URLSearchParams(text)) fields.append(name, value)
  if (body !== 'json') return { body: {}, fields }
  const json = parseJson(text ?? '')
  if (!isJsonObject(json)) throw new SourceError({ code: 'invalid_json' })
  return { body: json, fields }
}

function statusOf({ code }: SourceFault): number {
  switch (code) {
    case 'unauthorized':
      return 401
    case 'job_not_found':
    case 'route_not_found':
      return 404
    case 'already_verified':
      return 409
    case 'too_many_requests':
    case 'duplicate_verification_request':
      return 429
    case 'internal_error':
      return 500
    case 'storage_full':
      return 507
    default:
      return 400
  }
}
