import { createHttpClient } from '../../http/client/httpClient.ts'
import { postTo } from '../../jsonrpc/postTo.ts'
import { callRemoteBatch } from '../../jsonrpc/remoteCall.ts'

/** Status of a node. */
export type NodeReport =
  | { readonly state: 'up'; readonly head: number; readonly peers: number }
  | { readonly state: 'starting' }
  /** It exited; `restartsIn` is in milliseconds. */
  | { readonly state: 'down'; readonly reason: string; readonly restartsIn: number }

/** Timeout of a request in milliseconds. */
const answerTime = 2000

const client = createHttpClient()
const questions = ['net_enode', 'eth_blockNumber', 'net_peerCount']

/** Asks the node with this enode URL for its head and peer count; undefined if it does not answer, or another node does. */
export async function askNode(url: string, enode: string): Promise<{ head: number; peers: number } | undefined> {
  try {
    const replies = await callRemoteBatch(postTo(client, url), questions, AbortSignal.timeout(answerTime))
    const [own, head, peers] = replies?.map((reply) => ('result' in reply ? reply.result : undefined)) ?? []
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
