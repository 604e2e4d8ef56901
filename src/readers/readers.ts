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
}

/** JSON-RPC, or a query of GraphQL. */
export type RequestKind = 'rpc' | 'graphql'

/** The reply of a reader. */
export interface ReaderReply {
  readonly status: number
  /** In pieces if it is long. */
  readonly body: string | Iterable<string>
}

/** Processes beside the node that answer requests which only read the chain, each from its own snapshot. */
export interface Readers {
  /** Gas that the code of a request may spend in the node before a reader is asked; 0 asks at once. */
  readonly minGas: bigint
  /**
   * Answers a request from the head as it is now, or a newer one. Undefined if the request needs more than the chain, so that
   * the node itself has to answer it. Rejects with a ReaderError.
   */
  ask(request: ReaderRequest): Promise<ReaderReply | undefined>
}
