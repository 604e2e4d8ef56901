import { failed } from '../../config/fault.ts'
import { isPortFree } from '../../system/isPortFree.ts'
import { type NetworkPlan, portsOf } from './networkPlan.ts'

/** What the ports of a node serve, as messages name them. */
const services = {
  http: 'JSON-RPC',
  ws: 'WebSocket',
  graphql: 'GraphQL',
  explorer: 'explorer',
  manager: 'private transaction manager',
  p2p: 'P2P',
} as const satisfies Record<keyof ReturnType<typeof portsOf>, string>

/** Throws if another program listens on a port of the network: its answers would be taken for those of a validator. */
export async function refuseTakenPorts(plan: NetworkPlan): Promise<void> {
  const used = plan.nodes.flatMap((_, node) =>
    (Object.keys(services) as (keyof typeof services)[])
      .filter((service) => (service !== 'manager' || plan.privacy) && (service !== 'explorer' || node === 0))
      .map((service) => ({ node, service, port: portsOf(plan, node)[service] })),
  )
  const free = await Promise.all(used.map(({ port }) => isPortFree(port)))
  const taken = used.filter((_, i) => !free[i])
  if (taken.length === 0) return
  const names = taken.map(({ node, service, port }) => `port ${port} (${services[service]} of node${node})`).join(', ')
  const is = taken.length === 1 ? 'is' : 'are'
  throw failed(
    `${names[0]!.toUpperCase()}${names.slice(1)} ${is} taken by another program: stop it, or choose other ports with --base-port`,
  )
}
