import { durationText } from '../../config/values.ts'
import { devAccountLines } from '../../node/welcome.ts'
import { spanText } from '../../reporting/state/spanText.ts'
import type { NetworkState } from '../../rpc/server/networkState.ts'
import { type NetworkPlan, nodeFolder, portsOf } from './networkPlan.ts'
import { firstPrivateFile, readPrivacyKey } from './networkPrivacy.ts'
import type { NodeReport } from './nodeReport.ts'

/** Lines printed once at the start: the network, and how to start it again. */
export function networkHeading(
  dir: string,
  plan: NetworkPlan,
  again: string,
  explorer: string,
  columns: number,
): string {
  const { consensus, period, nodes } = plan
  const lines = [
    '',
    `  ${nodes.length} ${consensus} validators · a block every ${durationText(period).replace(/(?=m?s)/, ' ')} · chain id 1337 · gas is free`,
    `  data and logs in ${dir}`,
    `  start again with: ${again}`,
    `  explorer ${explorer}`,
    '',
    ...devAccountLines(columns),
    '',
    ...(plan.privacy ? privacyLines(dir, plan) : []),
    '',
  ]
  return lines.join('\n')
}

/** The keys of private transactions, and how to send a first one. */
function privacyLines(dir: string, plan: NetworkPlan): readonly string[] {
  const [from, to] = [0, Math.min(1, plan.nodes.length - 1)]
  const quoted = /^[\w./:\\-]+$/.test(dir) ? firstPrivateFile(dir) : `'${firstPrivateFile(dir)}'`
  return [
    '  private transactions: the key of each node, for privateFrom, privateFor and groups',
    ...plan.nodes.map((_, i) => `  node${i}`.padEnd(9) + readPrivacyKey(nodeFolder(dir, i))),
    `  to send a first one, from node${from} to node${to}; priv_getTransactionReceipt is null at all others:`,
    `  curl -d @${quoted} http://127.0.0.1:${portsOf(plan, from).http}`,
    '',
  ]
}

/** Status line of each node: what it does comes first, because a narrow terminal cuts the rest. */
export function networkLines(plan: NetworkPlan, reports: readonly NodeReport[]): readonly string[] {
  const heads = reports.map((report) => (report.state === 'up' ? `block ${report.network.head}` : ''))
  const width = Math.max(...heads.map((head) => head.length))
  return plan.nodes.map(({ address }, i) => {
    const report = reports[i] ?? { state: 'starting' }
    const name = `  node${i}`.padEnd(9)
    if (report.state === 'down') return `${name}${downText(report)}`
    const { http, ws, graphql } = portsOf(plan, i)
    const doing = doingText(report, (head) => head.padEnd(width))
    return `${name}${doing}  http ${http}  ws ${ws}  graphql ${graphql}  ${address.slice(0, 6)}…`
  })
}

function doingText(report: Exclude<NodeReport, { state: 'down' }>, pad: (head: string) => string): string {
  if (report.state === 'starting') return 'starting'
  if (report.state === 'silent') return `silent for ${spanText(report.seconds)}`
  const { head, peers = 0 } = report.network
  return `${pad(`block ${head}`)}  ${peers} peers`
}

/** The state of the network in so many lines of a terminal that is so wide. */
export function stateLines({ level, summary, problems }: NetworkState, columns: number): readonly string[] {
  const marks = { ok: '✓', warning: '!', error: '✗' }
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more: see the explorer)` : ''
  const words = `${marks[level]} ${summary}${more}`.split(' ')
  const lines: string[] = []
  let line = ' '
  for (const word of words)
    if (line.length + word.length + 1 < columns) line += ` ${word}`
    else {
      lines.push(line)
      line = `    ${word}`
    }
  return [...lines, line]
}

function downText({ reason, restartsIn }: NodeReport & { state: 'down' }): string {
  return `down (${reason}), starts again in ${Math.ceil(restartsIn / 1000)} s`
}
