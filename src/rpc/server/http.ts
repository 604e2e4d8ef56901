import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptsJson } from '../../http/acceptHeader.ts'
import { createCorsCheck, passCors } from '../../http/cors.ts'
import { createHostCheck } from '../../http/hostAllowlist.ts'
import { createHttpServer, type HttpServerOptions, patience } from '../../http/httpServer.ts'
import { defaultGrace, type Listening, type ListenOptions, listen } from '../../http/listen.ts'
import { pathOf } from '../../http/pathOf.ts'
import { readBody } from '../../http/requestBody.ts'
import { acceptsGzip, sendJson } from '../../http/sendJson.ts'
import { sendHostRefused, sendNotFound, sendText } from '../../http/sendText.ts'
import type { Answer, Reply } from '../protocol/dispatcher.ts'
import type { Access, Sender } from './gate.ts'
import { type HealthPort, healthBody, isReady } from './health.ts'
import { serveLogin } from './login.ts'
import { servePlainPosts } from './plainPosts.ts'
import { sendState } from './stateAnswer.ts'

export interface HttpOptions extends ListenOptions, HttpServerOptions {
  readonly hostAllowlist: readonly string[]
  readonly corsOrigins: readonly string[]
  /** Maximum size of a request's body in bytes. */
  readonly maxBody: number
  readonly pretty: boolean
}

export interface HttpPorts {
  readonly health: HealthPort
  readonly access: Access
  /** The reply to a request that need not be read; undefined for others. */
  refuse(sender: Sender): Reply | undefined
  /** Answers the text of a request. */
  dispatch(text: string, sender: Sender): Answer
}

/** The headers that matter here, found in one pass: Node's object of all headers costs more. */
interface Heads {
  host: string | undefined
  origin: string | undefined
  accept: string | undefined
  encoding: string | undefined
  authorization: string | undefined
}

function headsOf({ rawHeaders }: IncomingMessage): Heads {
  const heads: Heads = {
    host: undefined,
    origin: undefined,
    accept: undefined,
    encoding: undefined,
    authorization: undefined,
  }
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4) {
      if (name.toLowerCase() === 'host') heads.host = rawHeaders[i + 1]
    } else if (name.length === 6) {
      const key = name.toLowerCase()
      if (key === 'origin') heads.origin = rawHeaders[i + 1]
      else if (key === 'accept') heads.accept = rawHeaders[i + 1]
    } else if (name.length === 13) {
      // Which one of two headers counts would depend on the reader: neither does.
      if (name.toLowerCase() === 'authorization')
        heads.authorization = heads.authorization === undefined ? rawHeaders[i + 1] : ''
    } else if (name.length === 15 && name.toLowerCase() === 'accept-encoding') heads.encoding = rawHeaders[i + 1]
  }
  return heads
}

/** Answers one POST request of JSON-RPC. */
export type CallHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  heads: Pick<Heads, 'encoding' | 'authorization'>,
) => void

/** Creates what reads and answers the POST requests of one server. */
export function createCallHandler(
  { maxBody, pretty, timeout }: Pick<HttpOptions, 'maxBody' | 'pretty' | 'timeout'>,
  ports: Pick<HttpPorts, 'refuse' | 'dispatch'>,
): CallHandler {
  return (request, response, { encoding, authorization }) => {
    const { socket } = request
    const sender = { address: socket.remoteAddress, authorization, isGone: () => socket.destroyed }
    const gzip = encoding !== undefined && acceptsGzip(encoding)
    const finish = ({ status, body }: Reply) => sendJson(response, status, body, { gzip, pretty })
    const refusal = ports.refuse(sender)
    if (refusal) {
      finish(refusal)
      return
    }
    readBody(request, response, maxBody, (text) => {
      // Invalid UTF-8 is not JSON.
      const answer = ports.dispatch(text ?? '', sender)
      if (!(answer instanceof Promise)) return finish(answer)
      const timer = setTimeout(() => {
        response.setHeader('Connection', 'close')
        sendText(response, 504)
      }, timeout + patience.ending)
      answer.then((reply) => {
        clearTimeout(timer)
        if (!response.headersSent) finish(reply)
      })
    })
  }
}

/** Starts the JSON-RPC server over HTTP. */
export async function startHttp(options: HttpOptions, ports: HttpPorts): Promise<Listening> {
  const hostAllowed = createHostCheck(options.hostAllowlist)
  const cors = createCorsCheck(options.corsOrigins)
  const call = createCallHandler(options, ports)

  function handle(request: IncomingMessage, response: ServerResponse) {
    response.sendDate = false
    const heads = headsOf(request)
    if (!hostAllowed(heads.host)) return sendHostRefused(response)
    if (heads.origin !== undefined && !passCors(request, response, heads.origin, cors, refuseOrigin)) return
    const { method } = request
    const path = pathOf(request.url!)
    if (path === '/') {
      if (method === 'POST') return acceptsJson(heads.accept) ? call(request, response, heads) : sendText(response, 406)
      return sendText(response, method === 'GET' ? 201 : 405)
    }
    if (path === '/liveness' || path === '/readiness') {
      if (method !== 'GET') return sendText(response, 405)
      const query = new URL(request.url!, 'http://localhost').searchParams
      const send = (up: boolean) => sendText(response, up ? 200 : 503, 'application/json', healthBody(up))
      if (path === '/liveness') send(true)
      else void isReady(query, ports.health).then(send)
      return
    }
    if (path === '/health') {
      if (method !== 'GET') return sendText(response, 405)
      const { access, health } = ports
      return void sendState(response, health, { access, authorization: heads.authorization, badStatus: 503 })
    }
    if (path === '/login') return serveLogin(request, response, ports.access)
    sendNotFound(response)
  }

  const { server, connections } = createHttpServer(options, handle)
  if (options.pretty) return listen(server, options)
  const { maxBody, timeout } = options
  const endPlain = servePlainPosts(server, {
    hostAllowed,
    maxBody,
    timeout,
    patience,
    connections,
    refuse: ports.refuse,
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

function refuseOrigin(response: ServerResponse): void {
  const text = 'Exception thrown handling RPC'
  // As in Besu, without `Vary`.
  response.writeHead(403, 'CORS Rejected - Invalid origin', {
    'Content-Type': 'text/plain',
    'Content-Length': text.length,
  })
  response.end(text)
}
