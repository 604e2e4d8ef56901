import type { NetworkState } from './networkState.ts'

/** What health checks see of the node, which may be in another thread. */
export interface HealthPort {
  /** Undefined where the peer-to-peer network is disabled. */
  peerCount(): number | undefined | Promise<number | undefined>
  /** Number of blocks between the head and the best known block; undefined if the node is in sync. */
  blocksBehind(): bigint | undefined | Promise<bigint | undefined>
  /** The verdict on the state of the network. */
  state(): NetworkState | Promise<NetworkState>
}

/** Whether the node has enough peers and is not too far behind; the query may set both limits. */
export async function isReady(query: URLSearchParams, health: HealthPort): Promise<boolean> {
  const minPeers = wholeNumber(query.get('minPeers') ?? '1')
  const peers = await health.peerCount()
  if (peers !== undefined && (minPeers === undefined || peers < minPeers)) return false
  const behind = await health.blocksBehind()
  if (behind === undefined) return true
  const allowed = wholeNumber(query.get('maxBlocksBehind') ?? '2')
  return allowed !== undefined && behind <= allowed
}

function wholeNumber(text: string): number | undefined {
  return /^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : undefined
}

/** The body of the response to a health check. */
export function healthBody(up: boolean): string {
  return JSON.stringify({ status: up ? 'UP' : 'DOWN' }, undefined, 2)
}
