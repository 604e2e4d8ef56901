import type { NodeKey } from '../../keys/nodeIdentity.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { ClosedBy, DisconnectReason, Endpoint } from '../protocol.ts'
import type { Random } from './handshake.ts'
import type { Hello } from './hello.ts'

export interface ConnectionOptions {
  readonly key: NodeKey
  readonly hello: Hello
  /** The public key that the other side must prove; undefined for inbound connections. */
  readonly expectedId: Uint8Array | undefined
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** Called once after both sides have sent Hello. Messages can be sent from now on; incoming ones wait for `accept`. */
  onHello(hello: Hello): void
  /** Called exactly once. */
  onClose(reason: DisconnectReason, by: ClosedBy): void
}

// Why RLPx is implemented here: docs/adr/0005-own-devp2p.md.

/** An encrypted connection with one peer. */
export interface Connection {
  remote(): Endpoint
  local(): Endpoint
  /** Delivers messages, including waiting ones. A Fault thrown by the handler closes the connection. */
  accept(onMessage: (code: number, payload: Uint8Array) => void): void
  /**
   * Returns false if the message is too long to be sent, or if the connection is closed or is being closed because the peer does
   * not read.
   */
  send(code: number, payload: Uint8Array): boolean
  disconnect(reason: DisconnectReason): void
  /** Bytes queued for sending. */
  backlog(): number
  /** Resolves when the socket is closed. */
  readonly gone: Promise<void>
}
