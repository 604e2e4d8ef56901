import type { DisconnectReason, PeerInfo, ProtocolLink, ProtocolSession, SubProtocol } from '../../src/net/protocol.ts'
import type { Address } from '../../src/primitives/bytes.ts'

/** Two ends of a protocol that talk to each other in memory. */
export interface ProtocolPair {
  /** Why it ended, and which end wanted it; undefined while it lasts. */
  ended(): { readonly by: 0 | 1; readonly reason: DisconnectReason } | undefined
  close(): void
}

function infoOf(which: number, { name, version }: SubProtocol): PeerInfo {
  return {
    id: new Uint8Array(64).fill(which + 1),
    address: new Uint8Array(20).fill(which + 1) as Address,
    clientId: `end ${which}`,
    inbound: which === 0,
    isStatic: false,
    capabilities: [{ name, version }],
    remote: { ip: '127.0.0.1', port: 1000 + which },
    local: { ip: '127.0.0.1', port: 2000 + which },
    listenPort: 0,
  }
}

/** Opens a protocol on both sides; messages arrive in order, in a later turn of the event loop. */
export function connectPair(a: SubProtocol, b: SubProtocol): ProtocolPair {
  const ends = [a, b] as const
  const sessions: ProtocolSession[] = []
  let end: ReturnType<ProtocolPair['ended']>

  function disconnect(by: 0 | 1, reason: DisconnectReason): void {
    if (end) return
    end = { by, reason }
    setImmediate(() => {
      for (const session of sessions) session.onClose()
    })
  }

  function linkOf(which: 0 | 1): ProtocolLink {
    const other = which === 0 ? 1 : 0
    return {
      peer: infoOf(other, ends[other]),
      send(code, payload) {
        if (end) return false
        const copy = payload.slice()
        setImmediate(() => {
          if (end) return
          try {
            sessions[other]!.onMessage(code, copy)
          } catch {
            disconnect(other, 'breachOfProtocol')
          }
        })
        return true
      },
      disconnect: (reason) => disconnect(which, reason),
      backlog: () => 0,
    }
  }

  sessions.push(a.open(linkOf(0)), b.open(linkOf(1)))
  return { ended: () => end, close: () => disconnect(0, 'requested') }
}
