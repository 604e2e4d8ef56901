/** Status of a node. */
export type NodeReport =
  | { readonly state: 'up'; readonly head: number; readonly peers: number }
  | { readonly state: 'starting' }
  /** It exited; `restartsIn` is in milliseconds. */
  | { readonly state: 'down'; readonly reason: string; readonly restartsIn: number }

/** Timeout of a request in milliseconds. */
const answerTime = 2000

/** Asks the node with this enode URL for its head and peer count; undefined if it does not answer, or another node does. */
export async function askNode(url: string, enode: string): Promise<{ head: number; peers: number } | undefined> {
  try {
    const [own, head, peers] = await ask(url, ['net_enode', 'eth_blockNumber', 'net_peerCount'])
    if (idOf(own) !== idOf(enode)) return undefined
    const numbers = { head: Number(head), peers: Number(peers) }
    return Number.isNaN(numbers.head + numbers.peers) ? undefined : numbers
  } catch {
    return undefined
  }
}

function idOf(enode: unknown): string {
  return String(enode).split('@', 1)[0]!
}

async function ask(url: string, methods: readonly string[]): Promise<unknown[]> {
  const body = methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerTime),
  })
  return ((await response.json()) as { result: unknown }[]).map(({ result }) => result)
}
