import { Fault } from '../primitives/fault.ts'

export type NetFault =
  | { code: 'MALFORMED_ENODE'; text: string; reason: string }
  | { code: 'MALFORMED_RECORD'; reason: string }
  | { code: 'STATIC_NODES_FILE'; path: string; reason: string }
  | { code: 'PORT_IN_USE'; port: number; transport: 'TCP' | 'UDP' }
  | { code: 'CANNOT_LISTEN'; host: string; port: number; reason: string }
  | { code: 'OWN_NODE' }
  | { code: 'NODE_DOES_NOT_LISTEN' }
  /** The router does not forward ports; `refusal` is its reason as a number of UPnP, where it gives one. */
  | { code: 'GATEWAY_FAILED'; reason: string; refusal?: number }
  /** What a peer sent breaks RLPx or the p2p protocol. */
  | { code: 'BAD_HANDSHAKE'; reason: string }
  | { code: 'BAD_FRAME'; reason: string }
  | { code: 'BAD_SNAPPY'; reason: string }
  | { code: 'BAD_PACKET'; reason: string }

/** What goes wrong between this node and others, or with how it is told to reach them. */
export class NetError extends Fault<NetFault> {
  constructor(at: NetFault, cause?: unknown) {
    super(at, cause, messageOf(at))
  }
}

function messageOf(at: NetFault): string | undefined {
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
    default:
      return undefined
  }
}
