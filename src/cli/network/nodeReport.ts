import type { NodeProcess } from './nodeProcess.ts'

/** How a node is doing. */
export type NodeReport =
  | { readonly state: 'up'; readonly head: number; readonly peers: number; readonly transactions: number }
  | { readonly state: 'starting' }
  | { readonly state: 'down'; readonly lastWords: string }

/** Milliseconds that a node has to answer. */
const answerTime = 2000

/** Asks a node for its head and its peers. */
export async function reportOf(node: NodeProcess): Promise<NodeReport> {
  if (!node.isRunning()) return { state: 'down', lastWords: node.lastWords() }
  try {
    const [head, peers, transactions] = await ask(node.url, [
      ['eth_blockNumber'],
      ['net_peerCount'],
      ['eth_getBlockTransactionCountByNumber', 'latest'],
    ])
    return { state: 'up', head: Number(head), peers: Number(peers), transactions: Number(transactions) }
  } catch {
    return node.isRunning() ? { state: 'starting' } : { state: 'down', lastWords: node.lastWords() }
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
