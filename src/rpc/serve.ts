import type { ChainView } from '../chain/view.ts'
import type { RpcContext, ServerPort } from './context.ts'
import { createDispatcher, type Dispatcher, httpTransport, type Transport, wsTransport } from './dispatch.ts'
import { faultTable } from './faultTable.ts'
import type { HealthPort } from './health.ts'
import { type HttpOptions, startHttp } from './http.ts'
import { knownNames } from './knownNames.ts'
import type { Listening } from './listen.ts'
import { methods } from './methods.ts'
import { openRpcDocument } from './openRpc.ts'
import { createRecentBlocks, rememberingView } from './recentBlocks.ts'
import type { Send, Session } from './subscriptions.ts'
import { startWs, type WsOptions } from './ws.ts'

/** What every server needs from the node. */
export interface ServePorts {
  /** The ports that this node has. */
  readonly context: Partial<RpcContext>
  /** Told of faults that no client caused. */
  readonly onInternalError: (error: unknown, method: string) => void
}

export interface HttpServeOptions extends HttpOptions {
  /** Upper-case names of the method groups to offer. */
  readonly namespaces: readonly string[]
  readonly maxBatch: number
}

export interface WsServeOptions extends WsOptions {
  readonly namespaces: readonly string[]
}

/** The node's ports and the server's own, for calls through one server. The node's may change: they are not copied. */
function open(
  namespaces: readonly string[],
  transport: Transport,
  ports: ServePorts,
): [Dispatcher, Partial<RpcContext>] {
  const { context, onInternalError } = ports
  const dispatcher = createDispatcher({
    methods,
    knownNames,
    namespaces,
    transport,
    faults: faultTable,
    onInternalError,
  })
  const server: ServerPort = {
    namespaces,
    describe: () =>
      openRpcDocument(
        methods.filter((one) => dispatcher.serves(one, own)),
        context.client?.version ?? '',
      ),
  }
  const own = extend(context, { server })
  if ('chain' in context) Object.defineProperty(own, 'chain', { get: rememberingChain(context) })
  return [dispatcher, own]
}

/** The chain of each context, reading through blocks that are kept for all servers alike. */
const remembering = new WeakMap<Partial<RpcContext>, () => ChainView>()

function rememberingChain(context: Partial<RpcContext>): () => ChainView {
  const known = remembering.get(context)
  if (known) return known
  const recent = createRecentBlocks()
  let last: ChainView | undefined
  let shown: ChainView | undefined
  const get = () => {
    // Asked for only by methods that need a chain.
    const chain = context.chain!
    if (chain !== last) shown = rememberingView((last = chain), recent)
    return shown!
  }
  remembering.set(context, get)
  return get
}

function extend(base: Partial<RpcContext>, more: Partial<RpcContext>): Partial<RpcContext> {
  return Object.assign(Object.create(base) as Partial<RpcContext>, more)
}

/** Serves JSON-RPC over HTTP. */
export function serveHttp(
  options: HttpServeOptions,
  ports: ServePorts & { readonly health: HealthPort },
): Promise<Listening> {
  const [dispatcher, context] = open(options.namespaces, httpTransport(options.maxBatch), ports)
  return startHttp(options, { health: ports.health, dispatch: (text) => dispatcher.dispatch(text, context) })
}

/** Serves JSON-RPC and subscriptions over WebSocket. */
export function serveWs(
  options: WsServeOptions,
  ports: ServePorts & { readonly openSession: (send: Send) => Session },
): Promise<Listening> {
  const [dispatcher, context] = open(options.namespaces, wsTransport, ports)
  const contexts = new WeakMap<Session, Partial<RpcContext>>()
  return startWs(options, {
    openSession(send) {
      const session = ports.openSession(send)
      contexts.set(session, extend(context, { session }))
      return session
    },
    dispatch: (text, session) => dispatcher.dispatch(text, contexts.get(session)!),
    timeoutReply: '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Timeout expired"}}',
  })
}
