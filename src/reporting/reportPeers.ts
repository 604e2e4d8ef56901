import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { EthPeers } from '../net/eth/ethPeers.ts'
import { toHex } from '../primitives/hex.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'

/** Lines per minute at INFO; the others are written at DEBUG: anyone who comes and goes forever must not fill the log. */
const maxLines = 60

/** Logs the peers that come and go; returns a function that stops it. */
export function reportPeers(peers: EthPeers, clock: Clock, log: Logger): () => void {
  let minute = 0
  let lines = 0

  function level(): 'info' | 'debug' {
    const now = Math.floor(clock.now() / 60_000)
    if (now !== minute) lines = 0
    minute = now
    return ++lines > maxLines ? 'debug' : 'info'
  }

  const fieldsOf = ({ info }: EthPeer) => ({
    address: toHex(info.address),
    remote: `${info.remote.ip}:${info.remote.port}`,
    client: info.clientId,
    peers: peers.all().length,
  })

  const ends = [
    peers.onReady((peer) => log[level()]({ ...fieldsOf(peer), inbound: peer.info.inbound }, 'peer connected')),
    peers.onGone((peer, closing) => log[level()]({ ...fieldsOf(peer), ...closing }, 'peer disconnected')),
  ]
  return () => {
    for (const end of ends) end()
  }
}
