/** What health checks ask of the node. */
export interface HealthPort {
  /** Undefined where the peer-to-peer network is off. */
  peerCount(): number | undefined
  /** Blocks that the head is behind the best known one; undefined when the node is in sync. */
  blocksBehind(): bigint | undefined
}

/** Whether the node can serve: enough peers, and not too far behind. */
export function isReady(query: URLSearchParams, health: HealthPort): boolean {
  const minPeers = wholeNumber(query.get('minPeers') ?? '1')
  const peers = health.peerCount()
  if (peers !== undefined && (minPeers === undefined || peers < minPeers)) return false
  const behind = health.blocksBehind()
  if (behind === undefined) return true
  const allowed = wholeNumber(query.get('maxBlocksBehind') ?? '2')
  return allowed !== undefined && behind <= allowed
}

function wholeNumber(text: string): number | undefined {
  return /^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : undefined
}

/** Body of the answer to a health check. */
export function healthBody(up: boolean): string {
  return JSON.stringify({ status: up ? 'UP' : 'DOWN' }, undefined, 2)
}
