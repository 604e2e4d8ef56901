import { devAccountLines } from '../../node/welcome.ts'
import { type NetworkPlan, portsOf } from './networkPlan.ts'
import type { NodeReport } from './nodeReport.ts'

/** Lines printed once at the start: the network and its endpoints. */
export function networkHeading(dir: string, { consensus, period, nodes }: NetworkPlan): string {
  const lines = [
    '',
    `  ${nodes.length} ${consensus} validators · a block every ${period} s · chain id 1337 · gas is free`,
    `  data and logs in ${dir}; start again with: quoin network --dir ${dir}`,
    '',
    ...devAccountLines,
    '',
    '',
  ]
  return lines.join('\n')
}

/** Status line of each node. */
export function networkLines(plan: NetworkPlan, reports: readonly NodeReport[]): readonly string[] {
  return plan.nodes.map(({ address }, i) => {
    const { http, ws, graphql } = portsOf(plan, i)
    const where = `http ${http} · ws ${ws} · graphql ${graphql}`
    return `  node${i}  ${address}  ${where}  ${doing(reports[i] ?? { state: 'starting' })}`
  })
}

function doing(report: NodeReport): string {
  if (report.state === 'starting') return 'starting'
  if (report.state === 'down') return `down: ${report.lastLogLine}`
  return `block ${report.head} (${report.transactions} txs) · ${report.peers} peers`
}
