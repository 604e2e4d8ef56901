import type { PeersPort, SyncPort } from '../../rpc/protocol/context.ts'
import type { HealthPort } from '../../rpc/server/health.ts'

/** What health checks see of the node; `peers` is undefined where the peer-to-peer network is disabled. */
export function createHealthPort(
  peers: Pick<PeersPort, 'count'> | undefined,
  sync: SyncPort,
  { state }: Pick<HealthPort, 'state'>,
): HealthPort {
  return {
    state,
    peerCount: () => peers?.count(),
    blocksBehind() {
      const status = sync.status()
      return status && status.highestBlock - status.currentBlock
    },
  }
}
