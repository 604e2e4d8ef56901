import { createHttpClient } from '../../http/client/httpClient.ts'
import { askState } from '../../reporting/state/askState.ts'
import type { NodeState } from '../../rpc/server/networkState.ts'

/** Status of a node. */
export type NodeReport =
  | { readonly state: 'up'; readonly network: NodeState }
  | { readonly state: 'starting' }
  /** It runs, and has not answered for so many seconds. */
  | { readonly state: 'silent'; readonly seconds: number }
  /** It exited; `restartsIn` is in milliseconds. */
  | { readonly state: 'down'; readonly reason: string; readonly restartsIn: number }

const client = createHttpClient()

/** Asks the node with this address how its network is; undefined if it does not answer, or another node does. */
export async function askNode(url: string, address: string): Promise<NodeState | undefined> {
  const state = await askState(client, url)
  return state?.address.toLowerCase() === address.toLowerCase() ? state : undefined
}
