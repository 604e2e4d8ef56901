import { emptyBytes } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp } from '../../primitives/rlp.ts'
import type { DisconnectReason } from '../protocol.ts'

const codes = {
  requested: 0x00,
  tcpError: 0x01,
  breachOfProtocol: 0x02,
  uselessPeer: 0x03,
  tooManyPeers: 0x04,
  alreadyConnected: 0x05,
  incompatibleVersion: 0x06,
  nullNodeId: 0x07,
  clientQuitting: 0x08,
  unexpectedId: 0x09,
  localIdentity: 0x0a,
  timeout: 0x0b,
  subprotocol: 0x10,
} as const satisfies Record<Exclude<DisconnectReason, 'unknown'>, number>

const reasons = new Map<number, DisconnectReason>(
  Object.entries(codes).map(([name, code]) => [code, name as keyof typeof codes]),
)

/** Payload of the Disconnect message; `unknown` is an empty string, as in Besu. */
export function encodeDisconnect(reason: DisconnectReason): Uint8Array {
  return encodeRlp([reason === 'unknown' ? emptyBytes : Uint8Array.of(codes[reason])])
}

/** Longer payloads are not decoded. */
const maxLength = 64

/** Decodes the reason of a Disconnect message; `unknown` if it is malformed. */
export function decodeDisconnect(payload: Uint8Array): DisconnectReason {
  if (payload.length > maxLength) return 'unknown'
  let item: unknown
  try {
    item = decodeRlp(payload)
  } catch {
    return 'unknown'
  }
  const bytes = Array.isArray(item) ? (item[0] as unknown) : item
  return (bytes instanceof Uint8Array && bytes.length === 1 && reasons.get(bytes[0]!)) || 'unknown'
}
