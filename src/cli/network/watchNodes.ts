import { joinStates, type NodeAnswer } from '../../reporting/state/joinStates.ts'
import type { NetworkState } from '../../rpc/server/networkState.ts'
import type { KeptNode } from './keepRunning.ts'
import type { NetworkPlan } from './networkPlan.ts'
import type { NodeReport } from './nodeReport.ts'

/** The nodes of a network, and what they say of it. */
export interface WatchedNodes {
  /** Asks those that are not being asked; resolves when all have answered, which one that hangs puts off. */
  look(): Promise<unknown>
  /** The last report of each. */
  reports(): readonly NodeReport[]
  /** The verdict on the network. */
  state(): NetworkState
}

function answerOf(name: string, address: string, report: NodeReport): NodeAnswer {
  const known = { name, address: address.toLowerCase(), state: undefined }
  switch (report.state) {
    case 'up':
      return { ...known, state: report.network }
    case 'silent':
      return { ...known, trouble: { kind: 'silent', seconds: report.seconds } }
    case 'down':
      return { ...known, trouble: { kind: 'down', reason: report.reason } }
    case 'starting':
      return { ...known, trouble: { kind: 'starting' } }
  }
}

export function watchNodes(plan: NetworkPlan, nodes: readonly KeptNode[]): WatchedNodes {
  const reports: NodeReport[] = nodes.map(() => ({ state: 'starting' }))
  const looking = new Map<KeptNode, Promise<void>>()

  async function lookAt(node: KeptNode, i: number): Promise<void> {
    reports[i] = await node.look()
    looking.delete(node)
  }

  return {
    look() {
      for (const [i, node] of nodes.entries()) if (!looking.has(node)) looking.set(node, lookAt(node, i))
      return Promise.all(looking.values())
    },
    reports: () => [...reports],
    state: () => joinStates(plan.nodes.map(({ address }, i) => answerOf(`node${i}`, address, reports[i]!))),
  }
}
