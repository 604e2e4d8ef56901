import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptsJson } from '../http/acceptHeader.ts'
import { createCorsCheck, passCors } from '../http/cors.ts'
import { createHostCheck } from '../http/hostAllowlist.ts'
import { createHttpServer } from '../http/httpServer.ts'
import { defaultGrace, type Listening, listen, type ServerAddress } from '../http/listen.ts'
import { pathOf } from '../http/pathOf.ts'
import { readBody } from '../http/requestBody.ts'
import { acceptsGzip, sendJson } from '../http/sendJson.ts'
import { sendHostRefused, sendText } from '../http/sendText.ts'
import { createUpgradeCheck } from '../http/upgrades.ts'
import type { Logger } from '../system/logger.ts'
import { type AnswerPorts, answer } from './answer.ts'
import type { Keyring } from './keyring.ts'
import { createMethods } from './methods.ts'
import { createNodeClient } from './nodeClient.ts'
import { readRequest } from './readRequest.ts'
import { serveWs } from './serveWs.ts'

export interface SignerOptions extends ServerAddress {
  /** The node's JSON-RPC over HTTP, and over WebSocket. */
  readonly nodeUrl: URL
  readonly nodeWsUrl: URL
  /** Milliseconds that the node may take to answer. */
  readonly timeout: number
  /** Undefined asks the node. */
  readonly chainId: bigint | undefined
  /** Whether transactions of accounts that are not here go to the node, which may impersonate them. */
  readonly passOthers: boolean
  readonly hostAllowlist: readonly string[]
  readonly corsOrigins: readonly string[]
}

/** Limits of the node's own servers; HTTP and WebSocket share a port, and so the first of them. */
const limits = { connections: 160, webSockets: 80, body: 5 << 20, message: 4 << 20 }

/** Serves JSON-RPC over HTTP and WebSocket at one port: signs here, passes everything else on to the node. */
export async function startSigner(options: SignerOptions, keyring: Keyring, log: Logger): Promise<Listening> {
  const { nodeUrl, timeout, chainId, passOthers } = options
  const hostAllowed = createHostCheck(options.hostAllowlist)
  const cors = createCorsCheck(options.corsOrigins)
  const node = createNodeClient(nodeUrl)
  const ports: AnswerPorts = {
    methods: createMethods({ keyring, node, chainId, passOthers, log }),
    askNode: ({ texts }, signal) => node.ask(`[${texts.join(',')}]`, signal),
    onInternalError: (error, method) => log.error({ method, error: String(error) }, 'call failed'),
  }

  function handle(request: IncomingMessage, response: ServerResponse) {
    const { host, origin, accept } = request.headers
    if (!hostAllowed(host)) return sendHostRefused(response)
    if (origin !== undefined && !passCors(request, response, origin, cors, refuseOrigin)) return
    const path = pathOf(request.url!)
    // Whether the node is ready only the node knows.
    if (path === '/liveness') return sendText(response, 200, 'application/json', '{"status":"UP"}')
    const where = path === '/' ? undefined : path
    if (request.method === 'GET') return node.pass(request, response, { path: request.url, timeout })
    if (request.method !== 'POST') return sendText(response, 405)
    if (!acceptsJson(accept)) return sendText(response, 406)
    readBody(request, response, limits.body, (text = '') => {
      const own = where === undefined ? readRequest(text) : undefined
      if (!own) return node.pass(request, response, { path: where, body: text, timeout })
      const gzip = acceptsGzip(request.headers['accept-encoding'] ?? '')
      answer(own, ports, AbortSignal.timeout(timeout)).then(({ status, body }) =>
        sendJson(response, status, body, { gzip, pretty: false }),
      )
    })
  }

  const { server, connections } = createHttpServer({ maxConnections: limits.connections, timeout }, handle)
  const closeSockets = serveWs(
    server,
    connections,
    {
      nodeUrl: options.nodeWsUrl,
      timeout,
      maxConnections: limits.webSockets,
      maxMessage: limits.message,
      isAllowed: createUpgradeCheck(options.hostAllowlist, (origin) => cors(origin) !== undefined),
    },
    ports,
  )
  const listening = await listen(server, options)
  return {
    ...listening,
    async close(grace = defaultGrace) {
      closeSockets(grace)
      await listening.close(grace)
      node.close()
    },
  }
}

function refuseOrigin(response: ServerResponse): void {
  response.statusMessage = 'CORS Rejected - Invalid origin'
  sendText(response, 403, 'text/plain', 'Exception thrown handling RPC')
}
