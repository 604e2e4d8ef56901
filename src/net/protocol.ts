import type { Address } from '../primitives/bytes.ts'
import type { Enode } from './enode.ts'

/** One side of a TCP connection. */
export interface Endpoint {
  readonly ip: string
  readonly port: number
}

/** A sub-protocol and its version as in Hello. */
export interface Capability {
  readonly name: string
  readonly version: number
}

/** A connected peer, as known after Hello. */
export interface PeerInfo {
  /** Public key, 64 bytes. */
  readonly id: Uint8Array
  readonly address: Address
  readonly clientId: string
  readonly inbound: boolean
  readonly isStatic: boolean
  /** All sub-protocols that the peer offers, shared or not. */
  readonly capabilities: readonly Capability[]
  readonly remote: Endpoint
  readonly local: Endpoint
  /** TCP port that the peer announces; 0 if it does not listen. */
  readonly listenPort: number
}

/** Disconnect reasons of devp2p. `unknown` is sent to nodes that are not allowed. */
export type DisconnectReason =
  | 'requested'
  | 'tcpError'
  | 'breachOfProtocol'
  | 'uselessPeer'
  | 'tooManyPeers'
  | 'alreadyConnected'
  | 'incompatibleVersion'
  | 'nullNodeId'
  | 'clientQuitting'
  | 'unexpectedId'
  | 'localIdentity'
  | 'timeout'
  | 'subprotocol'
  | 'unknown'

/** Who closed a connection; `socket` if it broke without a Disconnect message. */
export type ClosedBy = 'us' | 'peer' | 'socket'

/** How a connection was closed. */
export interface Closing {
  readonly reason: DisconnectReason
  readonly by: ClosedBy
}

/** A connection as seen by one sub-protocol; message codes start at 0. */
export interface ProtocolLink {
  readonly peer: PeerInfo
  /** Returns false if the connection is closed, or is being closed because the peer does not read. */
  send(code: number, payload: Uint8Array): boolean
  disconnect(reason: DisconnectReason): void
  /** Bytes queued for sending. */
  backlog(): number
}

/** A sub-protocol's handlers for one connection. */
export interface ProtocolSession {
  /** `payload` is only valid during the call; an exception disconnects the peer for breach of protocol. */
  onMessage(code: number, payload: Uint8Array): void
  /** Called exactly once; nothing can be sent afterwards. */
  onClose(closing?: Closing): void
}

/** A sub-protocol of RLPx, offered in Hello. */
export interface SubProtocol extends Capability {
  /** Number of message codes. */
  readonly length: number
  open(link: ProtocolLink): ProtocolSession
}

/** Decides which nodes may be connected. */
export interface NodeAllowlist {
  /** Whether a connection from one node to another is allowed; one of them is this node. */
  allows(source: Enode, destination: Enode): boolean
  /** Subscribes to changes; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
}
