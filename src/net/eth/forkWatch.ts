import { differentForks, type ForkId } from '../../forks/forkId.ts'
import { keyOf } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Logger } from '../../system/logger.ts'
import type { PeerInfo } from '../protocol.ts'

const remembered = 1024

/** Tells of peers of the same network whose genesis file names other forks: before one of them, and after it. */
export interface ForkWatch {
  /** A peer that is on the same forks until now. */
  onPeer(peer: PeerInfo, own: ForkId, remote: ForkId): void
  /** A peer that is refused because it is on another fork. */
  onOtherFork(peer: PeerInfo, own: ForkId, remote: ForkId): void
}

const timeOf = (next: bigint) => (next === 0n ? 'none' : new Date(Number(next) * 1000).toISOString())
const textOf = ({ hash, next }: ForkId) => `0x${hash.toString(16).padStart(8, '0')}/${next}`

/** Says each of a peer once, as long as it says the same. */
export function createForkWatch(log: Logger): ForkWatch {
  const said = createRecentMap<string, string>(remembered)

  function isNew({ id }: PeerInfo, text: string): boolean {
    if (said.use(keyOf(id)) === text) return false
    said.set(keyOf(id), text)
    return true
  }

  const fieldsOf = ({ remote, address, clientId }: PeerInfo) => ({
    peer: remote,
    address: toHex(address),
    client: clientId,
  })

  return {
    onPeer(peer, own, remote) {
      const forks = differentForks(own, remote)
      if (!forks || !isNew(peer, `${forks.here} ${forks.there}`)) return
      log.warn(
        { ...fieldsOf(peer), here: timeOf(forks.here), there: timeOf(forks.there) },
        'this peer expects another next fork than this node: one of the two has an old genesis file, and they will part at the earlier time',
      )
    },
    onOtherFork(peer, own, remote) {
      if (!isNew(peer, `${textOf(own)} ${textOf(remote)}`)) return
      log.warn(
        { ...fieldsOf(peer), here: textOf(own), there: textOf(remote) },
        'refused a peer of this network that is on other forks: one of the two has an old genesis file; blocks are made where a quorum of validators has the same one',
      )
    },
  }
}
