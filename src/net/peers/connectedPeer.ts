import { publicKeyToAddress } from '../../primitives/secp256k1.ts'
import type { Logger } from '../../system/logger.ts'
import type { Enode } from '../enode.ts'
import type { PeerInfo } from '../protocol.ts'
import type { Connection } from '../rlpx/connection.ts'
import type { Hello } from '../rlpx/hello.ts'
import type { SharedProtocol } from '../rlpx/shareProtocols.ts'
import type { PeerCandidate } from './admitPeer.ts'
import { createPeerProtocols, type PeerProtocols } from './createPeerProtocols.ts'

/** A node on the other side of a connection, after Hello. */
export interface ConnectedPeer extends PeerCandidate {
  readonly info: PeerInfo
  readonly enode: Enode
  readonly connection: Connection
  readonly protocols: PeerProtocols
  /** Milliseconds since 1970. */
  readonly since: number
}

export interface PeerFacts {
  readonly enode: Enode
  readonly inbound: boolean
  readonly shared: readonly SharedProtocol[]
  readonly since: number
  readonly log: Logger
  /** An operator can make any peer static, or take that back, while it is connected. */
  isStatic(): boolean
}

export function createConnectedPeer(connection: Connection, hello: Hello, facts: PeerFacts): ConnectedPeer {
  const { enode, inbound, shared, since, log, isStatic } = facts
  const info: PeerInfo = {
    id: hello.id,
    address: publicKeyToAddress(hello.id),
    clientId: hello.clientId,
    inbound,
    get isStatic() {
      return isStatic()
    },
    capabilities: hello.capabilities,
    remote: connection.remote(),
    local: connection.local(),
    listenPort: hello.listenPort,
  }
  return {
    id: hello.id,
    inbound,
    get isStatic() {
      return isStatic()
    },
    ...{ info, enode, connection, since },
    protocols: createPeerProtocols(connection, info, shared, log),
  }
}
