import { createRemoteNode } from '../../explorer/remoteNode.ts'
import { serveExplorer } from '../../explorer/serveExplorer.ts'
import type { Listening } from '../../http/listen.ts'
import { openPageFiles } from '../../http/pageFiles.ts'
import { sendText } from '../../http/sendText.ts'
import type { NetworkState } from '../../rpc/server/networkState.ts'
import type { Sources } from '../../sources/createSources.ts'
import { type NetworkPlan, portsOf } from './networkPlan.ts'
import { networkApis } from './nodeProcess.ts'

const host = '127.0.0.1'

/** Serves the explorer of all nodes of a network, while nodes are down too; undefined if its page has not been built. */
export async function startNetworkExplorer(
  plan: NetworkPlan,
  state: () => NetworkState,
  sources?: Sources,
): Promise<Listening | undefined> {
  const files = openPageFiles()
  if (!files) return undefined
  const session = { authentication: false, namespaces: networkApis(plan) }
  const nodes = plan.nodes.map((_, i) => createRemoteNode({ name: `node${i}`, session, ports: portsOf(plan, i) }))
  const options = {
    host,
    port: portsOf(plan, 0).explorer,
    hostAllowlist: ['localhost', host],
    maxConnections: 100,
    timeout: 60_000,
  }
  return serveExplorer(
    options,
    files,
    nodes,
    async (response) => {
      response.setHeader('Cache-Control', 'no-store')
      sendText(response, 200, 'application/json', JSON.stringify(state()))
    },
    sources,
  )
}

/** Where the explorer is, as shown to the operator. */
export function explorerAddress(explorer: Listening | undefined): string {
  return explorer ? `http://${explorer.host}:${explorer.port}` : 'is not served: npm run build makes its page'
}
