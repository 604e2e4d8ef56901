import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Authority, Caller } from '../auth/authority.ts'
import { acceptsJson } from '../http/acceptHeader.ts'
import { createCorsCheck, passCors } from '../http/cors.ts'
import { createHostCheck } from '../http/hostAllowlist.ts'
import { createHttpServer, type HttpServerOptions } from '../http/httpServer.ts'
import { type Listening, type ListenOptions, listen } from '../http/listen.ts'
import type { PageFiles } from '../http/pageFiles.ts'
import { graphiqlPath, setPagePolicy } from '../http/pagePolicy.ts'
import { pathOf } from '../http/pathOf.ts'
import type { RateLimit } from '../http/rateLimit.ts'
import { readBody } from '../http/requestBody.ts'
import { acceptsGzip, sendJson } from '../http/sendJson.ts'
import { sendHostRefused, sendNotFound, sendText } from '../http/sendText.ts'
import { andThen } from '../primitives/andThen.ts'
import { ReaderError, type ReaderFault } from '../readers/fault.ts'
import type { Readers } from '../readers/readers.ts'
import type { Executor, ExecutorOptions, ExecutorPorts, MayRun, QueryReply, QueryRequest } from './execute.ts'
import { readParameters, readPosted, type Undecodable } from './readRequest.ts'

export interface GraphqlServeOptions extends ListenOptions, HttpServerOptions, ExecutorOptions {
  readonly hostAllowlist: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly pretty: boolean
}

/** What a query depends on besides the chain. */
export interface ReaderQueryContext {
  readonly mayRun: { readonly query: boolean; readonly mutation: boolean } | undefined
}

export interface GraphqlServePorts extends ExecutorPorts {
  /** Keeps the current view of the chain open until the returned function is called. */
  readonly hold?: (() => () => void) | undefined
  /** Answers queries that only read the chain; without it they run in this thread. */
  readonly readers?: Readers | undefined
  /** The authority of JSON-RPC over HTTP; absent where nobody has to authenticate. */
  readonly authority?: Authority | undefined
  readonly rateLimit?: RateLimit | undefined
}

const jsonType = 'application/json; charset=utf-8'
/** Maximum size of a request's body in bytes. */
const maxBody = 10 * 1024 * 1024

/** The files that the page with GraphiQL loads. */
const pageFile = /^\/(assets\/graphiql\/.*|icon\.svg)$/

/** Whether a browser asks for the page, not for a query. */
function wantsPage(accept: string | undefined, parameters: URLSearchParams): boolean {
  return !parameters.has('query') && /\btext\/html\b/i.test(accept ?? '')
}

/** Whether a page of another server sent the request: browsers also send the origin of this server's own page. */
function isForeign({ origin, host }: IncomingHttpHeaders, scheme: 'http' | 'https'): boolean {
  return origin !== undefined && origin !== `${scheme}://${host}`
}

function refuseOrigin(response: ServerResponse): void {
  response.statusMessage = 'CORS Rejected - Invalid origin'
  sendText(response, 403, 'text/plain', 'CORS Rejected - Invalid origin')
}

/** How a query came and is answered. */
interface Asking {
  /** IP address of the client. */
  readonly address: string | undefined
  readonly response: ServerResponse
  readonly gzip: boolean
  readonly mayRun: MayRun | undefined
}

/** Words that only requests have which need more than the chain: the pool, the node's prices, its sync. */
const needsNode = /\b(mutation|pending|gasPrice|syncing)\b/

/** Why no reader has answered a query. */
const readerTexts = {
  QUEUE_FULL: 'Too many queries are waiting: try again later; the operator can raise --rpc-readers',
  TIME_LIMIT: 'The query took too long: ask for less',
  READER_LOST: 'The process that ran the query has ended: try again, or ask for less',
  CLIENT_GONE: 'The client has disconnected',
  STOPPING: 'The node is stopping',
} as const satisfies Record<ReaderFault['code'], string>

const unauthorizedText = JSON.stringify({ errors: [{ message: 'Unauthorized' }] })

/** What a caller may do: a query can reach everything that methods of `eth_` return, a mutation sends a transaction. */
function mayRunOf(caller: Caller): MayRun {
  return (operation) => (operation === 'query' ? caller.mayAll('eth') : caller.may('eth_sendRawTransaction'))
}

/** Answers one query: that of the parameters, or else the one that was posted. */
export type QueryHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  parameters: URLSearchParams | undefined,
) => void

interface QueryServer {
  readonly handle: QueryHandler
}

/**
 * Reads a query, decides who may ask it and where it runs, and writes the reply. Queries can ask for very much in few words: those that
 * only read the chain run in a reader, where time and memory are bounded.
 */
class QueryAnswers implements QueryServer {
  private readonly options: Pick<GraphqlServeOptions, 'pretty' | 'timeout' | keyof ExecutorOptions>
  private readonly ports: GraphqlServePorts
  private run: Executor | undefined

  constructor(
    options: Pick<GraphqlServeOptions, 'pretty' | 'timeout' | keyof ExecutorOptions>,
    ports: GraphqlServePorts,
  ) {
    this.ports = ports
    this.options = options
  }

  readonly handle: QueryServer['handle'] = (
    request: IncomingMessage,
    response: ServerResponse,
    parameters: URLSearchParams | undefined,
  ) => {
    const { headers } = request
    if (!acceptsJson(headers.accept)) return sendText(response, 406)
    const { remoteAddress } = request.socket
    if (this.ports.rateLimit && !this.ports.rateLimit.spend(remoteAddress, 1)) return sendText(response, 429)
    const { authority } = this.ports
    if (!authority) return this.read(request, response, parameters, undefined)
    const { authorization } = headers
    andThen(authority.callerOf(authorization), (caller) => {
      if (caller === authority.anybody) sendText(response, 401, jsonType, unauthorizedText)
      else this.read(request, response, parameters, mayRunOf(caller))
    })
  }

  private read(
    request: IncomingMessage,
    response: ServerResponse,
    parameters: URLSearchParams | undefined,
    mayRun: MayRun | undefined,
  ): void {
    const { headers } = request
    const address = request.socket.remoteAddress
    const asking = { address, response, gzip: acceptsGzip(headers['accept-encoding'] ?? ''), mayRun }
    if (parameters) {
      this.answer(readParameters(parameters), asking)
      return
    }
    readBody(request, response, maxBody, (text) => {
      this.answer(text === undefined ? { problem: 'not UTF-8' } : readPosted(headers['content-type'], text), asking)
    })
  }

  /** Loads the library and the schema when the first query comes: most nodes are never asked one. */
  private async loadExecutor(): Promise<void> {
    const { createExecutor } = await import('./execute.ts')
    this.run ??= createExecutor(this.options, this.ports)
  }

  private sendReply({ response, gzip }: Asking, status: number, body: string | Iterable<string>): void {
    if (!response.headersSent) sendJson(response, status, body, { gzip, pretty: this.options.pretty, type: jsonType })
  }

  /** Lets a reader answer a query. */
  private async passOn(request: QueryRequest, asking: Asking, readers: Readers): Promise<void> {
    const { response, mayRun } = asking
    try {
      const reply = await readers.ask({
        kind: 'graphql',
        text: JSON.stringify(request),
        method: 'graphql',
        client: asking.address ?? '',
        isGone: () => response.destroyed,
        context: {
          mayRun: mayRun && { query: mayRun('query'), mutation: mayRun('mutation') },
        } satisfies ReaderQueryContext,
        time: this.options.timeout,
      })
      this.sendReply(asking, reply.status, reply.body)
    } catch (error) {
      if (!(error instanceof ReaderError)) this.ports.onInternalError(error)
      const code = error instanceof ReaderError ? error.at.code : 'READER_LOST'
      this.sendReply(asking, 500, JSON.stringify({ errors: [{ message: readerTexts[code] }] }))
    }
  }

  private answer(request: QueryRequest | Undecodable, asking: Asking): void {
    const { readers } = this.ports
    if ('problem' in request)
      this.sendReply(asking, 400, JSON.stringify({ result: `Failed to decode:${request.problem}` }))
    else if (readers && !needsNode.test(request.query)) void this.passOn(request, asking, readers)
    else this.runHere(request, asking)
  }

  private runHere(request: QueryRequest, asking: Asking): void {
    const { response, mayRun } = asking
    const send = ({ status, body }: QueryReply) => this.sendReply(asking, status, JSON.stringify(body))
    if (this.run === undefined) {
      this.loadExecutor().then(() => this.runHere(request, asking))
      return
    }
    const release = this.ports.hold?.()
    const reply = this.run(request, mayRun)
    if (!(reply instanceof Promise)) {
      release?.()
      send(reply)
      return
    }
    const timer = setTimeout(() => {
      response.setHeader('Connection', 'close')
      sendText(response, 504)
    }, this.options.timeout)
    reply.then((value) => {
      release?.()
      clearTimeout(timer)
      send(value)
    })
  }
}

function createQueryServer(
  options: Pick<GraphqlServeOptions, 'pretty' | 'timeout' | keyof ExecutorOptions>,
  ports: GraphqlServePorts,
): QueryServer {
  return new QueryAnswers(options, ports)
}

/** Creates what reads and answers the queries of one server. */
export function createQueryHandler(
  options: Pick<GraphqlServeOptions, 'pretty' | 'timeout' | keyof ExecutorOptions>,
  ports: GraphqlServePorts,
): QueryHandler {
  return createQueryServer(options, ports).handle
}

/** Serves GraphQL over HTTP at `/graphql`, and with `files` GraphiQL at the same place to browsers. */
export function serveGraphql(
  options: GraphqlServeOptions,
  ports: GraphqlServePorts,
  files?: PageFiles,
): Promise<Listening> {
  const query = createQueryHandler(options, ports)
  const hostAllowed = createHostCheck(options.hostAllowlist)
  const cors = createCorsCheck(options.corsOrigins)
  const scheme = options.tls ? 'https' : 'http'

  function sendFile(path: string, request: IncomingMessage, response: ServerResponse): boolean {
    setPagePolicy(response, path)
    return files!.send(path, request, response)
  }

  function handle(request: IncomingMessage, response: ServerResponse) {
    response.sendDate = false
    const { method, headers, url } = request
    if (!hostAllowed(headers.host)) return sendHostRefused(response)
    if (isForeign(headers, scheme) && !passCors(request, response, headers.origin!, cors, refuseOrigin)) return
    const path = pathOf(url!)
    if (files && pageFile.test(path) && sendFile(path, request, response)) return
    if (path !== '/' && path !== '/graphql') return sendNotFound(response)
    if (method !== 'GET' && method !== 'POST') return sendText(response, 405)
    if (path === '/') {
      response.setHeader('Location', '/graphql')
      return sendText(response, 308)
    }
    const parameters = method === 'GET' ? new URL(url!, 'http://localhost').searchParams : undefined
    if (files && parameters && wantsPage(headers.accept, parameters)) {
      sendFile(graphiqlPath, request, response)
      return
    }
    query(request, response, parameters)
  }

  return listen(createHttpServer(options, handle).server, options)
}
