import { keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { Closing, Endpoint } from '../protocol.ts'

/** A connection that was closed, and after which there is none with the same node. */
export interface LostConnection extends Closing {
  readonly remote: Endpoint
  /** Undefined if the other side did not get as far as to send it. */
  readonly id: Uint8Array | undefined
  /** Milliseconds. */
  readonly lasted: number
}

/** Looks for another process that has the key of this node. */
export interface KeyWatch {
  onLost(connection: LostConnection): void
}

/** Milliseconds for which a node may still hold a connection of a process that has ended, with some to spare. */
const settling = 120_000
/** Milliseconds without a refusal after which it begins from the start. */
const forgotten = 300_000
/** Milliseconds after which a connection shows that there was no other. */
const lasting = 30_000
const warnEvery = 60_000
const remembered = 256
const advice = 'give each node a key of its own: two validators with one key may sign contradictions'

/** A node never dials its own id, and has at most one connection with a peer: who says otherwise speaks of another process. */
export function createKeyWatch(clock: Clock, log: Logger): KeyWatch {
  /** Nodes that say that they have a connection with this one, and that have none. */
  const occupied = createRecentMap<string, { readonly since: number; readonly last: number }>(remembered)
  let warnedAt = Number.NEGATIVE_INFINITY

  function warn(remote: Endpoint, what: string): void {
    if (Math.abs(clock.now() - warnedAt) < warnEvery) return
    warnedAt = clock.now()
    log.warn({ ip: remote.ip, port: remote.port }, `${what}: ${advice}`)
  }

  function onOccupied(remote: Endpoint, id: Uint8Array): void {
    const now = clock.now()
    const known = occupied.get(keyOf(id))
    const since = known && now - known.last < forgotten ? known.since : now
    occupied.set(keyOf(id), { since, last: now })
    if (now - since >= settling)
      warn(remote, 'the node at {ip}:{port} is connected with another process that has the key of this node')
  }

  return {
    onLost({ reason, by, remote, id, lasted }) {
      if (reason === 'localIdentity' && by === 'us')
        warn(remote, 'another process, at {ip}:{port}, has the key of this node')
      if (!id) return
      if (lasted >= lasting) occupied.delete(keyOf(id))
      else if (reason === 'alreadyConnected' && by === 'peer') onOccupied(remote, id)
    },
  }
}
