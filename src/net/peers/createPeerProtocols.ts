import { Fault } from '../../primitives/fault.ts'
import type { Logger } from '../../system/logger.ts'
import { NetError } from '../fault.ts'
import type { Closing, PeerInfo, ProtocolSession } from '../protocol.ts'
import type { Connection } from '../rlpx/connection.ts'
import type { SharedProtocol } from '../rlpx/shareProtocols.ts'

interface Route {
  readonly offset: number
  readonly session: ProtocolSession
}

/** The sub-protocols of one connection. */
export interface PeerProtocols {
  /** Opens all of them, then delivers messages. */
  open(): void
  /** Must be called once, when the connection is closed. */
  close(closing: Closing): void
}

/** Dispatches messages to the sub-protocols that both sides support. */
export function createPeerProtocols(
  connection: Connection,
  peer: PeerInfo,
  shared: readonly SharedProtocol[],
  log: Logger,
): PeerProtocols {
  /** By message code. */
  const routes: Route[] = []
  const sessions: ProtocolSession[] = []
  let closed = false

  function guard(action: () => void): void {
    try {
      action()
    } catch (error) {
      // A Fault is the peer's; anything else is a bug of ours, which must not stop the node.
      if (error instanceof Fault) log.debug({ peer: peer.clientId, error: error.message }, 'invalid message')
      else log.error({ peer: peer.clientId, error: String(error) }, 'sub-protocol failed')
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
      // Opening has closed the connection.
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
    close(closing) {
      closed = true
      for (const session of sessions) guard(() => session.onClose(closing))
    },
  }
}
