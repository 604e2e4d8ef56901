import type { Listening } from '../../http/listen.ts'
import type { Readers } from '../../readers/readers.ts'
import type { Turns } from '../../system/turns.ts'
import type { Send, Session } from '../events/subscriptions.ts'
import { methods } from '../methods/all.ts'
import type { ChainCalls } from '../protocol/chainCalls.ts'
import type { RpcPorts, ServerPort } from '../protocol/context.ts'
import { createDispatcher } from '../protocol/dispatch.ts'
import {
  type CallMeter,
  type Dispatcher,
  type Hold,
  httpTransport,
  type Transport,
  wsTransport,
} from '../protocol/dispatcher.ts'
import { faultTable } from '../protocol/faultTable.ts'
import { knownNames, unlistedNames } from '../protocol/knownNames.ts'
import { openRpcDocument } from '../protocol/openRpc.ts'
import { type Access, createGate, identify } from './gate.ts'
import type { HealthPort } from './health.ts'
import { type HttpOptions, type HttpPorts, startHttp } from './http.ts'
import { type IpcOptions, type IpcServer, startIpc } from './ipc.ts'
import { startWs, type WsOptions, type WsPorts } from './ws.ts'

/** What every server needs from the node. */
export interface ServePorts {
  /** What the node supplies to methods. */
  readonly ports: RpcPorts
  /** Called with errors that no client caused. */
  readonly onInternalError: (error: unknown, method: string) => void
  /** Called after each call. */
  readonly onCall?: CallMeter | undefined
  /** Keeps the current view of the chain open until the returned function is called. */
  readonly hold?: Hold | undefined
  /** Shared by all servers of the node. */
  readonly turns?: Turns | undefined
  /** Answers what only reads the chain and may take long; without it that runs in this thread. */
  readonly readers?: Readers | undefined
  /** Runs the methods that need more than `ports`; without it there are none. */
  readonly chainCalls?: ChainCalls | undefined
  /** Who may use the server, and how often; everybody if it is absent. */
  readonly access?: Access | undefined
}

export interface HttpServeOptions extends HttpOptions {
  /** Namespaces that are enabled, upper case. */
  readonly namespaces: readonly string[]
  /** Maximum number of calls in a batch; 0 or less means no limit. */
  readonly maxBatch: number
  /** Maximum gas of one trial; 0 means no limit. */
  readonly gasCap: bigint
}

export interface WsServeOptions extends WsOptions {
  readonly namespaces: readonly string[]
  readonly maxBatch: number
  readonly gasCap: bigint
}

export type IpcServeOptions = IpcOptions & Pick<WsServeOptions, 'namespaces' | 'gasCap' | 'maxBatch'>

/** The dispatcher of one server, and the ports of the node with that server's own. */
function open(
  { namespaces, gasCap, timeout }: Pick<HttpServeOptions, 'namespaces' | 'gasCap' | 'timeout'>,
  transport: Transport,
  { ports, onInternalError, onCall, hold, turns, readers, chainCalls }: ServePorts,
): [Dispatcher, RpcPorts] {
  const dispatcher = createDispatcher({
    methods,
    knownNames,
    unlistedNames,
    namespaces,
    transport,
    faults: faultTable,
    onInternalError,
    onCall,
    hold,
    limits: { gasCap, time: timeout },
    turns,
    readers,
    chainCalls,
    readerContext: ports.evms?.nextBlock && (() => ({ nextBlock: ports.evms!.nextBlock!() })),
  })
  const server: ServerPort = {
    namespaces,
    describe: () =>
      openRpcDocument(
        methods.filter((one) => dispatcher.serves(one, own)),
        ports.client?.version ?? '',
      ),
  }
  const own: RpcPorts = { ...ports, server }
  return [dispatcher, own]
}

/** What answers the requests of a server over HTTP, as their senders. */
export function openHttpCalls(
  options: Pick<HttpServeOptions, 'namespaces' | 'gasCap' | 'timeout' | 'maxBatch'>,
  node: ServePorts,
): Omit<HttpPorts, 'health'> {
  const [dispatcher, ports] = open(options, httpTransport(options.maxBatch), node)
  const { access = {} } = node
  const { refuse, answerAs } = createGate(access)
  return {
    access,
    refuse,
    dispatch: (text, sender) => answerAs(sender, (requester) => dispatcher.dispatch(text, ports, requester, sender)),
  }
}

/** Serves JSON-RPC over HTTP. */
export function serveHttp(
  options: HttpServeOptions,
  node: ServePorts & { readonly health: HealthPort },
): Promise<Listening> {
  return startHttp(options, { ...openHttpCalls(options, node), health: node.health })
}

/** What answers the connections of a server over WebSocket. */
export function openWsCalls(
  options: Pick<WsServeOptions, 'namespaces' | 'gasCap' | 'timeout' | 'maxBatch'>,
  node: ServePorts & { readonly openSession: (send: Send) => Session },
): WsPorts {
  const [dispatcher, ports] = open(options, wsTransport(options.maxBatch), node)
  const { access = {} } = node
  return {
    access,
    identify: (sender) => identify(access, sender),
    connect(send, requester, connection) {
      const session = node.openSession(send)
      const own: RpcPorts = { ...ports, session }
      return {
        dispatch: (text) => dispatcher.dispatch(text, own, requester, connection),
        isSubscribed: () => session.count() > 0,
        close: session.close,
      }
    },
    timeoutReply: '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Timeout expired"}}',
  }
}

/** Serves JSON-RPC and subscriptions over a Unix socket to everybody who can open it. */
export function serveIpc(
  options: IpcServeOptions,
  node: ServePorts & { readonly openSession: (send: Send) => Session },
): Promise<IpcServer> {
  return startIpc(options, openWsCalls(options, { ...node, access: {} }))
}

/** Serves JSON-RPC and subscriptions over WebSocket. */
export function serveWs(
  options: WsServeOptions,
  node: ServePorts & { readonly openSession: (send: Send) => Session },
): Promise<Listening> {
  return startWs(options, openWsCalls(options, node))
}
