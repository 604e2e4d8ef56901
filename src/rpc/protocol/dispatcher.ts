import type { JsonText } from '../../jsonrpc/replyText.ts'
import type { TrialLimits } from '../../query/requestBudget.ts'
import type { Readers } from '../../readers/readers.ts'
import type { Turns } from '../../system/turns.ts'
import type { ChainCalls } from './chainCalls.ts'
import type { FaultTable } from './codes.ts'
import type { RpcPorts } from './context.ts'
import type { OnInternalError } from './errorObject.ts'
import type { Method } from './method.ts'
import type { Requester } from './requester.ts'

/** The reply to a request. */
export interface Reply {
  readonly status: 200 | 400 | 401 | 429
  /** Empty for notifications. */
  readonly body: JsonText
}

export type Answer = Reply | Promise<Reply>

/** The differences between HTTP and WebSocket. */
export interface Transport {
  /** Maximum number of calls in a batch; 0 or less means no limit. */
  readonly maxBatch: number
  /** The reply to an empty batch. */
  readonly emptyBatch: 'INVALID_REQUEST' | 'EMPTY_LIST'
  /** The error of an empty request. */
  readonly emptyText: 'INVALID_REQUEST' | 'PARSE_ERROR'
}

/** JSON-RPC over HTTP. */
export function httpTransport(maxBatch: number): Transport {
  return { maxBatch, emptyBatch: 'INVALID_REQUEST', emptyText: 'PARSE_ERROR' }
}

/** JSON-RPC over WebSocket; unlike Besu, it limits batches too. */
export function wsTransport(maxBatch: number): Transport {
  return { maxBatch, emptyBatch: 'EMPTY_LIST', emptyText: 'INVALID_REQUEST' }
}

export interface DispatchOptions {
  readonly methods: readonly Method[]
  /** Methods of Besu: those that are not served here are "not enabled", all other names are "not found". */
  readonly knownNames: ReadonlySet<string>
  /** Methods that are "not found" unless they are served, though they are among `methods`. */
  readonly unlistedNames?: ReadonlySet<string> | undefined
  readonly namespaces: readonly string[]
  readonly transport: Transport
  readonly faults: FaultTable
  /** Called with errors that no client caused. */
  readonly onInternalError: OnInternalError
  /** Called after each call of a served method. */
  readonly onCall?: CallMeter | undefined
  /** Called before each call that reads the chain. */
  readonly hold?: Hold | undefined
  /** Gas and time that each request has. */
  readonly limits?: TrialLimits | undefined
  /** Shared with everything else that keeps the thread busy for long. */
  readonly turns?: Turns | undefined
  /** Answers what only reads the chain and may take long; without it that runs here. */
  readonly readers?: Readers | undefined
  /** Runs the methods that need more than there is here, in the thread of the chain; without it there is all here. */
  readonly chainCalls?: ChainCalls | undefined
  /** What the answers of readers depend on besides the chain. */
  readonly readerContext?: (() => unknown) | undefined
  /** Milliseconds since an arbitrary moment. */
  readonly now?: (() => number) | undefined
}

/** Keeps the view of the chain open until the returned function is called, when the reply is sent. */
export type Hold = () => () => void

/** Records how long a call took; `ended` is when, in milliseconds since 1970, if that is not now. */
export type CallMeter = (method: string, seconds: number, ended?: number) => void

/** The connection that a request came by. */
export interface Connection {
  /** IP address of the client. */
  readonly address: string | undefined
  /** Whether the client has disconnected. */
  readonly isGone?: (() => boolean) | undefined
}

/** Answers requests: single calls and batches. */
export interface Dispatcher {
  /** Whether the method is enabled, and there is all that it needs. */
  serves(method: Method, ports: RpcPorts): boolean
  dispatch(text: string, ports: RpcPorts, requester?: Requester, connection?: Connection): Answer
}
