import { Fault } from '../../primitives/fault.ts'
import type { Logger } from '../../primitives/logger.ts'
import { NetError } from '../fault.ts'
import type { PeerInfo, ProtocolSession } from '../protocol.ts'
import type { Connection } from '../rlpx/connection.ts'
import type { SharedProtocol } from '../rlpx/shareProtocols.ts'

interface Route {
  readonly offset: number
  readonly session: ProtocolSession
}

/** The sub-protocols of one connection. */
export interface PeerProtocols {
  /** Opens all of them, then lets messages through. */
  open(): void
  /** To be called once, when the connection is closed. */
  close(): void
}

/** Connects the protocols that both sides speak with their messages. */
export function createPeerProtocols(
  connection: Connection,
  peer: PeerInfo,
  shared: readonly SharedProtocol[],
  log: Logger,
): PeerProtocols {
  /** By code of a message. */
  const routes: Route[] = []
  const sessions: ProtocolSession[] = []
  let closed = false

  function guard(action: () => void): void {
    try {
      action()
    } catch (error) {
      // A fault is what the peer did; anything else is a defect of ours, which must not end the node either.
      if (error instanceof Fault) log.debug({ peer: peer.clientId, error: error.message }, 'bad message')
      else log.error({ peer: peer.clientId, error: String(error) }, 'a sub-protocol failed')
      connection.disconnect('breachOfProtocol')
    }
  }

  function openOne({ protocol, offset }: SharedProtocol): void {
    const session = protocol.open({
      peer,
      send: (code, payload) => connection.send(offset + code, payload),
      disconnect: connection.disconnect,
      backlog: connection.backlog,
    })
    if (closed) {
      // Opening has ended the connection.
      session.onClose()
      return
    }
    sessions.push(session)
    for (let code = 0; code < protocol.length; code++) routes[offset + code] = { offset, session }
  }

  return {
    open() {
      for (const entry of shared) if (!closed) guard(() => openOne(entry))
      connection.accept((code, payload) => {
        const route = routes[code]
        if (!route) throw new NetError({ code: 'BAD_FRAME', reason: `message ${code}` })
        guard(() => route.session.onMessage(code - route.offset, payload))
      })
    },
    close() {
      closed = true
      for (const session of sessions) guard(() => session.onClose())
    },
  }
}
