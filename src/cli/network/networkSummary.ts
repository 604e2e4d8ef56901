import { devAccountLines } from '../../node/welcome.ts'
import { type NetworkPlan, portsOf } from './networkPlan.ts'
import type { NodeReport } from './nodeReport.ts'

/** Lines printed once at the start: the network, and how to start it again. */
export function networkHeading(dir: string, { consensus, period, nodes }: NetworkPlan, again: string): string {
  const lines = [
    '',
    `  ${nodes.length} ${consensus} validators · a block every ${period} s · chain id 1337 · gas is free`,
    `  data and logs in ${dir}`,
    `  start again with: ${again}`,
    '',
    ...devAccountLines,
    '',
    '',
  ]
  return lines.join('\n')
}

/** Status line of each node: what it does comes first, because a narrow terminal cuts the rest. */
export function networkLines(plan: NetworkPlan, reports: readonly NodeReport[]): readonly string[] {
  const heads = reports.map((report) => (report.state === 'up' ? `block ${report.head}` : ''))
  const width = Math.max(...heads.map((head) => head.length))
  return plan.nodes.map(({ address }, i) => {
    const report = reports[i] ?? { state: 'starting' }
    const name = `  node${i}`.padEnd(9)
    if (report.state === 'down') return `${name}${downText(report)}`
    const { http, ws, graphql } = portsOf(plan, i)
    const doing = report.state === 'up' ? `${heads[i]!.padEnd(width)}  ${report.peers} peers` : 'starting'
    return `${name}${doing}  http ${http}  ws ${ws}  graphql ${graphql}  ${address.slice(0, 6)}…`
  })
}

function downText({ reason, restartsIn }: NodeReport & { state: 'down' }): string {
  return `down (${reason}), starts again in ${Math.ceil(restartsIn / 1000)} s`
}
