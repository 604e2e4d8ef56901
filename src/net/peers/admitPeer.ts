import { compareBytes, concatBytes } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { DisconnectReason } from '../protocol.ts'

/** What is needed to decide whether a peer is admitted. */
export interface PeerCandidate {
  readonly id: Uint8Array
  readonly inbound: boolean
  readonly isStatic: boolean
}

export interface PeerLimits {
  readonly maxPeers: number
  /** Maximum inbound peers; undefined sets no limit. */
  readonly maxInbound: number | undefined
  /** If set, peers are kept at random, by their hash with this salt, instead of the oldest ones. */
  readonly salt: Uint8Array | undefined
}

/** Either the reason to reject a peer, or the connected peer that it replaces, if any. */
export type Admission<S> = { readonly rejected: DisconnectReason } | { readonly replaces: S | undefined }

/** Decides whether a new peer is admitted, and which one it replaces. Static peers are always admitted. */
export function admitPeer<S extends PeerCandidate>(
  newcomer: PeerCandidate,
  peers: readonly S[],
  limits: PeerLimits,
): Admission<S> {
  if (newcomer.isStatic) return { replaces: undefined }
  const inbound = peers.filter((peer) => peer.inbound && !peer.isStatic)
  if (newcomer.inbound && limits.maxInbound !== undefined && inbound.length >= limits.maxInbound)
    return replace(newcomer, inbound, limits.salt)
  if (peers.length < limits.maxPeers) return { replaces: undefined }
  const others = peers.filter((peer) => !peer.isStatic)
  return replace(newcomer, others, limits.salt)
}

function replace<S extends PeerCandidate>(
  newcomer: PeerCandidate,
  peers: readonly S[],
  salt: Uint8Array | undefined,
): Admission<S> {
  if (!salt || peers.length === 0) return { rejected: 'tooManyPeers' }
  const ticket = (peer: PeerCandidate) => keccak256(concatBytes(salt, peer.id))
  const last = peers.reduce((a, b) => (compareBytes(ticket(a), ticket(b)) > 0 ? a : b))
  return compareBytes(ticket(newcomer), ticket(last)) < 0 ? { replaces: last } : { rejected: 'tooManyPeers' }
}
