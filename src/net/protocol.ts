import type { Address } from '../primitives/bytes.ts'
import type { Enode } from './enode.ts'

/** One side of a TCP connection. */
export interface Endpoint {
  readonly ip: string
  readonly port: number
}

/** A protocol and its version as Hello names them. */
export interface Capability {
  readonly name: string
  readonly version: number
}

/** What is known of a peer once Hello has been exchanged. */
export interface PeerInfo {
  /** Public key, 64 bytes. */
  readonly id: Uint8Array
  readonly address: Address
  readonly clientId: string
  readonly inbound: boolean
  readonly isStatic: boolean
  /** All that the peer offers, shared or not. */
  readonly capabilities: readonly Capability[]
  readonly remote: Endpoint
  readonly local: Endpoint
  /** TCP port that the peer says it listens on; 0 when it does not. */
  readonly listenPort: number
}

/** Why a connection ends, by the names of the devp2p table. `unknown` is what a peer gets that was never let in. */
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

/** One connection, seen from one sub-protocol; codes count from 0 within the protocol. */
export interface ProtocolLink {
  readonly peer: PeerInfo
  /** False when the connection is closed or gets closed because the peer does not read. */
  send(code: number, payload: Uint8Array): boolean
  disconnect(reason: DisconnectReason): void
  /** Bytes that wait to be sent. */
  backlog(): number
}

/** What a sub-protocol does with one connection. */
export interface ProtocolSession {
  /** `payload` is only valid during the call unless copied; a throw ends the connection as a breach of protocol. */
  onMessage(code: number, payload: Uint8Array): void
  /** Called exactly once, after which nothing can be sent. */
  onClose(): void
}

/** A protocol that runs inside the connections, offered in Hello. */
export interface SubProtocol extends Capability {
  /** How many message codes are reserved for it. */
  readonly length: number
  open(link: ProtocolLink): ProtocolSession
}

/** Which nodes may be talked to; the own node's enode is asked about as well. */
export interface NodeAllowlist {
  isAllowed(enode: Enode): boolean
  /** Calls back after each change; gives a function that ends it. */
  onChange(listener: () => void): () => void
}
