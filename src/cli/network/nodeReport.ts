import type { NodeProcess } from './nodeProcess.ts'

/** Status of a node. */
export type NodeReport =
  | { readonly state: 'up'; readonly head: number; readonly peers: number; readonly transactions: number }
  | { readonly state: 'starting' }
  | { readonly state: 'down'; readonly lastLogLine: string }

/** Timeout of a request in milliseconds. */
const answerTime = 2000

/** Asks a node for its head and peer count. */
export async function reportOf(node: NodeProcess): Promise<NodeReport> {
  if (!node.isRunning()) return { state: 'down', lastLogLine: node.lastLogLine() }
  try {
    const [head, peers, transactions] = await ask(node.url, [
      ['eth_blockNumber'],
      ['net_peerCount'],
      ['eth_getBlockTransactionCountByNumber', 'latest'],
    ])
    return { state: 'up', head: Number(head), peers: Number(peers), transactions: Number(transactions) }
  } catch {
    return node.isRunning() ? { state: 'starting' } : { state: 'down', lastLogLine: node.lastLogLine() }
  }
}

async function ask(url: string, calls: readonly (readonly [string, ...unknown[]])[]): Promise<unknown[]> {
  const body = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerTime),
  })
  return ((await response.json()) as { result: unknown }[]).map(({ result }) => result)
}
