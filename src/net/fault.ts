import { Fault } from '../primitives/fault.ts'

/** What can go wrong in P2P networking. */
export type NetFault =
  /** An enode URL is invalid. */
  | { code: 'MALFORMED_ENODE'; text: string; reason: string }
  /** A node record (ENR) is invalid. */
  | { code: 'MALFORMED_RECORD'; reason: string }
  /** The static nodes file is missing or invalid. */
  | { code: 'STATIC_NODES_FILE'; path: string; reason: string }
  /** Another process listens on the P2P port. */
  | { code: 'PORT_IN_USE'; port: number; transport: 'TCP' | 'UDP' }
  /** The P2P port cannot be opened for another reason. */
  | { code: 'CANNOT_LISTEN'; host: string; port: number; reason: string }
  /** The operator added this node as its own peer. */
  | { code: 'OWN_NODE' }
  /** The operator added a peer without a TCP port. */
  | { code: 'NODE_DOES_NOT_LISTEN' }
  /** The router does not forward ports; `refusal` is its UPnP error number, if it sent one. */
  | { code: 'GATEWAY_FAILED'; reason: string; refusal?: number }
  /** The peer failed the RLPx handshake. */
  | { code: 'BAD_HANDSHAKE'; reason: string }
  /** The peer sent an invalid RLPx frame. */
  | { code: 'BAD_FRAME'; reason: string }
  /** The peer sent a message that is not valid Snappy data. */
  | { code: 'BAD_SNAPPY'; reason: string }
  /** A discovery packet is invalid. */
  | { code: 'BAD_PACKET'; reason: string }

/** An error in P2P networking or its configuration. */
export class NetError extends Fault<NetFault> {
  constructor(at: NetFault, cause?: unknown) {
    super(at, cause, messageOf(at))
  }
}

function messageOf(at: NetFault): string {
  switch (at.code) {
    case 'MALFORMED_ENODE':
      return `Invalid enode URL '${at.text}': ${at.reason}`
    case 'STATIC_NODES_FILE':
      return `Static nodes file ${at.path}: ${at.reason}`
    case 'PORT_IN_USE':
      return (
        `Port(s) '[${at.port}]' already in use (${at.transport}). Check for other processes using the port(s), ` +
        'or choose another with --p2p-port.'
      )
    case 'CANNOT_LISTEN':
      return `Cannot listen for peers on ${at.host}:${at.port}: ${at.reason}. See --p2p-interface and --p2p-port.`
    case 'OWN_NODE':
      return 'A node cannot be its own peer'
    case 'NODE_DOES_NOT_LISTEN':
      return 'The enode URL has no port to connect to'
    case 'MALFORMED_RECORD':
      return `Invalid node record: ${at.reason}`
    case 'GATEWAY_FAILED':
      return `UPnP failed: ${at.reason}`
    case 'BAD_HANDSHAKE':
      return `invalid handshake: ${at.reason}`
    case 'BAD_FRAME':
      return `invalid frame: ${at.reason}`
    case 'BAD_SNAPPY':
      return `invalid Snappy data: ${at.reason}`
    case 'BAD_PACKET':
      return `invalid discovery packet: ${at.reason}`
  }
}
