import { failed } from '../../config/fault.ts'
import { isPortFree } from '../../primitives/isPortFree.ts'
import { type NetworkPlan, portsOf } from './networkPlan.ts'

/** Throws if another program listens on a port of the network: its answers would be taken for those of a validator. */
export async function refuseTakenPorts(plan: NetworkPlan): Promise<void> {
  const ports = plan.nodes.flatMap((_, i) => {
    const { manager, explorer, ...others } = portsOf(plan, i)
    return [...Object.values(others), ...(plan.privacy ? [manager] : []), ...(i === 0 ? [explorer] : [])]
  })
  const free = await Promise.all(ports.map(isPortFree))
  const taken = ports.filter((_, i) => !free[i])
  if (taken.length === 0) return
  const subject = taken.length === 1 ? `Port ${taken[0]} is` : `Ports ${taken.join(', ')} are`
  throw failed(`${subject} taken by another program: stop it, or choose other ports with --base-port`)
}
