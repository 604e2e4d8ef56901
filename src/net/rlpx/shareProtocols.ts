import type { Capability, SubProtocol } from '../protocol.ts'

/** A protocol that both sides speak, and where its codes start. */
export interface SharedProtocol {
  readonly protocol: SubProtocol
  readonly offset: number
}

/** Codes below belong to the p2p protocol itself. */
const firstCode = 0x10

/** Protocols that both sides have in the same version, the highest one of each name, in the order that gives codes. */
export function shareProtocols(own: readonly SubProtocol[], theirs: readonly Capability[]): SharedProtocol[] {
  const best = new Map<string, SubProtocol>()
  for (const protocol of own) {
    if (!theirs.some((c) => c.name === protocol.name && c.version === protocol.version)) continue
    const known = best.get(protocol.name)
    if (!known || known.version < protocol.version) best.set(protocol.name, protocol)
  }
  // Plain order of bytes: upper case comes first.
  const ordered = [...best.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  let offset = firstCode
  return ordered.map((protocol) => {
    const shared = { protocol, offset }
    offset += protocol.length
    return shared
  })
}
