import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { createHostCheck } from '../http/hostAllowlist.ts'
import { createHttpServer, type HttpServerOptions } from '../http/httpServer.ts'
import { defaultGrace, type Listening, type ListenOptions, listen } from '../http/listen.ts'
import type { PageFiles } from '../http/pageFiles.ts'
import { setPagePolicy } from '../http/pagePolicy.ts'
import { pathOf } from '../http/pathOf.ts'
import { sendJson } from '../http/sendJson.ts'
import { sendHostRefused, sendNotFound, sendText } from '../http/sendText.ts'
import { createUpgradeCheck, refuseUpgrade } from '../http/upgrades.ts'
import type { ExplorerNode, ExplorerService } from './explorerNode.ts'
import { pageOfKnownPath } from './knownPaths.ts'

export interface ExplorerOptions extends ListenOptions, HttpServerOptions {
  readonly hostAllowlist: readonly string[]
}

/** What a path asks of a node: `/rpc` of the first one, `/nodes/1/rpc` of the second. */
interface Asked {
  readonly node: ExplorerNode
  readonly what: string
}

/** Answers a request for the state of the network. */
export type SendState = (response: ServerResponse, authorization: string | undefined) => Promise<void>

/** Answers a path of other explorers; returns false if it is none. */
function redirect(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  const page = request.method === 'GET' ? pageOfKnownPath(path) : undefined
  if (page === undefined) return false
  response.setHeader('Location', page)
  sendText(response, 302)
  return true
}

/** Serves the page and passes its calls on to the nodes that it shows, of which there is at least one. */
export async function serveExplorer(
  options: ExplorerOptions,
  files: PageFiles,
  nodes: readonly ExplorerNode[],
  sendState: SendState,
  sources?: ExplorerService,
): Promise<Listening> {
  const hostAllowed = createHostCheck(options.hostAllowlist)
  const scheme = options.tls ? 'https' : 'http'
  const list = nodes.map(({ name }, i) => ({ name, path: nodes.length === 1 ? '' : `nodes/${i}/` }))

  /** Pages of other servers may not ask; programs that are no browsers send no Origin. */
  const isOwnPage = ({ headers: { origin, host } }: IncomingMessage) =>
    origin === undefined || origin === `${scheme}://${host}`

  const mayUpgrade = createUpgradeCheck(options.hostAllowlist, (_, request) => isOwnPage(request))

  function askedBy(path: string): Asked | undefined {
    const [, number, what] = /^\/(?:nodes\/([0-9]{1,3})\/)?([a-z]+)$/.exec(path) ?? []
    const node = nodes[Number(number ?? 0)]
    return node && what !== undefined ? { node, what } : undefined
  }

  function post(request: IncomingMessage, response: ServerResponse, answer: ExplorerNode['rpc']) {
    if (request.method !== 'POST') return sendText(response, 405)
    if (!isOwnPage(request)) return sendText(response, 403, 'text/plain', 'Origin not allowed')
    // Browsers send no other type to another origin without asking first, which is never answered.
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return sendText(response, 415)
    answer(request, response)
  }

  function serve(request: IncomingMessage, response: ServerResponse, service: ExplorerService) {
    if (!isOwnPage(request)) return sendText(response, 403, 'text/plain', 'Origin not allowed')
    service.handle(request, response)
  }

  function get(request: IncomingMessage, response: ServerResponse, value: unknown) {
    if (request.method !== 'GET') return sendText(response, 405)
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, 200, JSON.stringify(value), { gzip: false, pretty: false })
  }

  function handle(request: IncomingMessage, response: ServerResponse) {
    response.sendDate = false
    const path = pathOf(request.url!)
    setPagePolicy(response, path)
    if (!hostAllowed(request.headers.host)) return sendHostRefused(response)
    if (path === '/nodes') return get(request, response, list)
    if (path === '/state') {
      if (request.method !== 'GET') return sendText(response, 405)
      return void sendState(response, request.headers.authorization)
    }
    const asked = askedBy(path)
    if (asked) {
      const { node, what } = asked
      if (what === 'session') return get(request, response, { ...node.session, sources: sources !== undefined })
      if (what === 'rpc') return post(request, response, node.rpc)
      if (what === 'login') return post(request, response, node.login)
      if (what === 'graphql' && node.graphql) return post(request, response, node.graphql)
    }
    if (sources?.serves(path)) return serve(request, response, sources)
    if (files.send(path, request, response)) return
    if (!redirect(path, request, response)) sendNotFound(response)
  }

  const { server, connections } = createHttpServer(options, handle)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const asked = askedBy(pathOf(request.url!))
    if (!mayUpgrade(request) || asked?.what !== 'ws') return refuseUpgrade(socket)
    // A connection that has been upgraded does not give way to new ones.
    socket.once('close', connections.answer(request.socket))
    asked.node.upgrade(request, socket, head)
  })
  const listening = await listen(server, options)
  return {
    ...listening,
    async close(grace = defaultGrace) {
      for (const node of nodes) node.close(grace)
      await listening.close(grace)
    },
  }
}
