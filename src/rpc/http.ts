import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { acceptsJson } from './acceptHeader.ts'
import { type CorsCheck, createCorsCheck } from './cors.ts'
import type { Answer, Reply } from './dispatch.ts'
import { type HealthPort, healthBody, isReady } from './health.ts'
import { createHostCheck } from './hostAllowlist.ts'
import { defaultGrace, type Listening, listen, type ServerAddress } from './listen.ts'
import { servePlainPosts } from './plainPosts.ts'
import { readBody } from './requestBody.ts'
import { acceptsGzip, sendJson } from './sendJson.ts'

export interface HttpOptions extends ServerAddress {
  readonly hostAllowlist: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly maxConnections: number
  /** Bytes of a request's body. */
  readonly maxBody: number
  /** Milliseconds that a call may take. */
  readonly timeout: number
  readonly pretty: boolean
}

export interface HttpPorts {
  readonly health: HealthPort
  /** Answers the text of a request. */
  dispatch(text: string): Answer
}

/** Milliseconds for the headers and the whole of a request to arrive, and between requests. */
const patience = { headers: 20_000, request: 120_000, idle: 65_000 }

/** Headers that decide about a request, found in one pass without building an object of all. */
interface Heads {
  host: string | undefined
  origin: string | undefined
  accept: string | undefined
  encoding: string | undefined
}

function headsOf({ rawHeaders }: IncomingMessage): Heads {
  const heads: Heads = { host: undefined, origin: undefined, accept: undefined, encoding: undefined }
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4) {
      if (name.toLowerCase() === 'host') heads.host = rawHeaders[i + 1]
    } else if (name.length === 6) {
      const key = name.toLowerCase()
      if (key === 'origin') heads.origin = rawHeaders[i + 1]
      else if (key === 'accept') heads.accept = rawHeaders[i + 1]
    } else if (name.length === 15 && name.toLowerCase() === 'accept-encoding') heads.encoding = rawHeaders[i + 1]
  }
  return heads
}

function pathOf(url: string): string {
  if (url === '/') return url
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).replace(/\/+/g, '/')
}

function send(response: ServerResponse, status: number, type?: string, body = ''): void {
  const headers = ['Vary', 'origin', 'Content-Length', String(Buffer.byteLength(body))]
  if (type !== undefined) headers.push('Content-Type', type)
  response.writeHead(status, headers).end(body)
}

/** Starts the JSON-RPC server over HTTP. */
export async function startHttp(options: HttpOptions, ports: HttpPorts): Promise<Listening> {
  const hostAllowed = createHostCheck(options.hostAllowlist)
  const cors = createCorsCheck(options.corsOrigins)

  function handle(request: IncomingMessage, response: ServerResponse) {
    response.sendDate = false
    const heads = headsOf(request)
    if (!hostAllowed(heads.host))
      return send(response, 403, 'application/json; charset=utf-8', '{"message":"Host not authorized."}')
    if (heads.origin !== undefined && !passCors(request, response, heads.origin, cors)) return
    const { method } = request
    const path = pathOf(request.url!)
    if (path === '/') {
      if (method === 'POST') return acceptsJson(heads.accept) ? call(request, response, heads) : send(response, 406)
      return send(response, method === 'GET' ? 201 : 405)
    }
    if (path === '/liveness' || path === '/readiness') {
      if (method !== 'GET') return send(response, 405)
      const query = new URL(request.url!, 'http://localhost').searchParams
      const up = path === '/liveness' || isReady(query, ports.health)
      return send(response, up ? 200 : 503, 'application/json', healthBody(up))
    }
    if (path === '/login' && method === 'POST') {
      response.statusMessage = 'Authentication not enabled'
      return send(response, 400)
    }
    send(response, 404, 'text/html; charset=utf-8', '<html><body><h1>Resource not found</h1></body></html>')
  }

  function call(request: IncomingMessage, response: ServerResponse, { encoding }: Heads): void {
    const gzip = encoding !== undefined && acceptsGzip(encoding)
    const finish = ({ status, body }: Reply) => sendJson(response, status, body, { gzip, pretty: options.pretty })
    readBody(request, options.maxBody, (text, problem) => {
      if (problem === 'TOO_LARGE') {
        response.setHeader('Connection', 'close')
        return send(response, 413, 'text/plain', 'Request Entity Too Large')
      }
      // Bytes that are no text are no JSON either.
      const answer = ports.dispatch(text ?? '')
      if (!(answer instanceof Promise)) return finish(answer)
      const timer = setTimeout(() => {
        response.setHeader('Connection', 'close')
        send(response, 504)
      }, options.timeout)
      answer.then((reply) => {
        clearTimeout(timer)
        if (!response.headersSent) finish(reply)
      })
    })
  }

  const server = createServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      keepAliveTimeout: patience.idle,
      connectionsCheckingInterval: 10_000,
      requireHostHeader: false,
    },
    handle,
  )
  server.maxConnections = options.maxConnections
  // A client that does not read its answer is let go; one that waits for a long call is not.
  server.timeout = options.timeout + patience.idle
  if (options.pretty) return listen(server, options)
  const { maxBody, timeout } = options
  const endPlain = servePlainPosts(server, {
    hostAllowed,
    maxBody,
    timeout,
    idle: patience.idle,
    dispatch: ports.dispatch,
  })
  const listening = await listen(server, options)
  return {
    ...listening,
    async close(grace = defaultGrace) {
      endPlain('idle')
      const timer = setTimeout(() => endPlain('all'), grace)
      await listening.close(grace)
      clearTimeout(timer)
    },
  }
}

/** Answers preflights and strangers itself; true lets the request pass. */
function passCors(request: IncomingMessage, response: ServerResponse, origin: string, cors: CorsCheck): boolean {
  const allowed = cors(origin)
  if (allowed === undefined) {
    response.statusMessage = 'CORS Rejected - Invalid origin'
    send(response, 403, 'text/plain', 'Exception thrown handling RPC')
    return false
  }
  response.setHeader('Access-Control-Allow-Origin', allowed)
  if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return true
  response.setHeader('Access-Control-Allow-Headers', '*,content-type')
  send(response, 204)
  return false
}
