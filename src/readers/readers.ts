/** A request for a reader. */
export interface ReaderRequest {
  readonly kind: RequestKind
  readonly text: string
  /** What is called, such as `eth_call`: requests of one client for the same method are expected to take as long. */
  readonly method: string
  /** Address of the client. */
  readonly client: string
  /** Anything else that the reader needs to know; it is cloned. */
  readonly context?: unknown
  /** Whether the client has disconnected. */
  readonly isGone?: (() => boolean) | undefined
  /** Milliseconds that the request may wait and run. */
  readonly time: number
  /** Milliseconds after which the reader that runs it is ended, where that is sooner than usual. */
  readonly runTime?: number | undefined
}

/** JSON-RPC, a query of GraphQL, a peer's request for state, or sources to compile. */
export type RequestKind = 'rpc' | 'graphql' | 'snap' | 'compile'

/** The reply of a reader. */
export interface ReaderReply {
  readonly status: number
  /** In pieces if it is long. */
  readonly body: string | Iterable<string>
}

/** A reply, and how long the reader was busy with it, in milliseconds of the CPU. */
export interface TimedReply extends ReaderReply {
  readonly busy: number
}

/** Processes beside the node that answer requests which only read the chain, each from its own snapshot. */
export interface Readers {
  /** Calls of a kind that took so many milliseconds are for readers; 0 means all calls that may take long. */
  readonly minTime: number
  /** Answers a request from the head as it is now, or a newer one. Rejects with a ReaderError. */
  ask(request: ReaderRequest): Promise<TimedReply>
}
