import type { Listening } from '../../http/listen.ts'
import type { Send, Session } from '../events/subscriptions.ts'
import { methods } from '../methods/all.ts'
import type { RpcContext, ServerPort } from '../protocol/context.ts'
import {
  type CallMeter,
  createDispatcher,
  type Dispatcher,
  type Hold,
  httpTransport,
  type Transport,
  wsTransport,
} from '../protocol/dispatch.ts'
import { faultTable } from '../protocol/faultTable.ts'
import { knownNames } from '../protocol/knownNames.ts'
import { openRpcDocument } from '../protocol/openRpc.ts'
import type { HealthPort } from './health.ts'
import { type HttpOptions, startHttp } from './http.ts'
import { startWs, type WsOptions } from './ws.ts'

/** What every server needs from the node. */
export interface ServePorts {
  /** The ports that this node has. */
  readonly context: Partial<RpcContext>
  /** Told of faults that no client caused. */
  readonly onInternalError: (error: unknown, method: string) => void
  /** Told of every call. */
  readonly onCall?: CallMeter | undefined
  /** Keeps the context's chain open until what comes back is called. */
  readonly hold?: Hold | undefined
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
  const { context, onInternalError, onCall, hold } = ports
  const dispatcher = createDispatcher({
    methods,
    knownNames,
    namespaces,
    transport,
    faults: faultTable,
    onInternalError,
    onCall,
    hold,
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
  return [dispatcher, own]
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
