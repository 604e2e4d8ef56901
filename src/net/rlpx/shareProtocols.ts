import type { Capability, SubProtocol } from '../protocol.ts'

/** A sub-protocol that both sides support, and its first message code. */
export interface SharedProtocol {
  readonly protocol: SubProtocol
  readonly offset: number
}

/** Lower codes belong to the p2p protocol itself. */
const firstCode = 0x10

/** Sub-protocols that both sides support, in their highest common version, in the order of their codes. */
export function shareProtocols(own: readonly SubProtocol[], theirs: readonly Capability[]): SharedProtocol[] {
  const best = new Map<string, SubProtocol>()
  for (const protocol of own) {
    if (!theirs.some((c) => c.name === protocol.name && c.version === protocol.version)) continue
    const known = best.get(protocol.name)
    if (!known || known.version < protocol.version) best.set(protocol.name, protocol)
  }
  // Byte order: upper case comes first.
  const ordered = [...best.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  let offset = firstCode
  return ordered.map((protocol) => {
    const shared = { protocol, offset }
    offset += protocol.length
    return shared
  })
}
