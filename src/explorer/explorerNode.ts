import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** What the page has to know before it asks: whether callers authenticate, and which namespaces are enabled. */
export interface ExplorerSession {
  readonly authentication: boolean
  readonly namespaces: readonly string[]
}

/** What is served at the explorer's port beside its page and its nodes. */
export interface ExplorerService {
  serves(path: string): boolean
  /** Answers a request after Host and Origin were checked. */
  readonly handle: Handle
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A node that the page shows. Requests come to it after Host, Origin and Content-Type were checked. */
export interface ExplorerNode {
  readonly name: string
  readonly session: ExplorerSession
  /** Answers a POST request of JSON-RPC. */
  readonly rpc: Handle
  /** Answers a POST request of GraphQL; undefined where it is disabled. */
  readonly graphql: Handle | undefined
  /** Gives a token for a user name and a password. */
  readonly login: Handle
  /** Takes a WebSocket connection of JSON-RPC. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes the WebSocket connections: those of clients that do not answer after `grace` milliseconds. */
  close(grace: number): void
}
