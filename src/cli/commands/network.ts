import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { option, unset } from '../../config/option.ts'
import { integer, oneOf, path, seconds } from '../../config/values.ts'
import { type CommandContext, command } from '../command.ts'
import { type NetworkPlan, networkEngines, openNetworkPlan } from '../network/networkPlan.ts'
import { networkHeading, networkLines } from '../network/networkSummary.ts'
import { type NodeProcess, startNodeProcess } from '../network/nodeProcess.ts'
import { reportOf } from '../network/nodeReport.ts'

const lookEvery = 1000
/** Checks between two reports if the output is not a terminal. */
const looksPerLine = 5

/** `quoin network`: runs a whole network on this machine. */
export const network = command(
  'network',
  'Run a network of validators on this machine. If the directory has one already, it is continued.',
  {
    validators: option(integer(1, 50), unset('4'), 'command', 'Number of validators.'),
    consensus: option(oneOf(networkEngines, 'any case'), unset('qbft'), 'command', 'Consensus protocol.'),
    period: option(seconds, unset('1'), 'command', 'Block period in seconds.'),
    'base-port': option(
      integer(1024, 65_000),
      unset('8545'),
      'command',
      'JSON-RPC port of node 0. The next ports are WebSocket, GraphQL and P2P; the ports of each further node are 10 higher.',
    ),
    dir: option(path('DIRECTORY'), 'quoin-network', 'command', 'Directory of the network.'),
  },
  async (values, { io }) => {
    const dir = resolve(values.dir)
    const { validators, consensus, period, 'base-port': basePort } = values
    const plan = openNetworkPlan(dir, { validators, consensus, period, basePort })
    const stop = new AbortController()
    const onSignal = () => stop.abort()
    process.once('SIGINT', onSignal)
    process.once('SIGTERM', onSignal)
    const nodes = plan.nodes.map((_, i) => startNodeProcess(dir, plan, i))
    try {
      io.stdout(networkHeading(dir, plan))
      const allWell = await watch(plan, nodes, stop.signal, io)
      io.stdout('  stopping\n')
      return allWell ? 0 : 1
    } finally {
      await Promise.all(nodes.map((node) => node.stop()))
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    }
  },
)

/** Shows the status of the nodes until stopped; returns false if a node exited by itself. */
async function watch(plan: NetworkPlan, nodes: readonly NodeProcess[], stop: AbortSignal, io: CommandContext['io']) {
  const terminal = process.stdout.isTTY === true
  const fit = (line: string) => (terminal ? `${line.slice(0, io.columns - 1)}\x1b[K` : line)
  let shown = 0
  for (let look = 0; !stop.aborted; look++) {
    const someRun = nodes.some((node) => node.isRunning())
    if (terminal || look % looksPerLine === 0 || !someRun) {
      const lines = networkLines(plan, await Promise.all(nodes.map(reportOf)))
      const back = terminal && shown > 0 ? `\x1b[${shown}A` : ''
      io.stdout(`${back}${lines.map(fit).join('\n')}\n`)
      shown = lines.length
    }
    if (!someRun) return false
    await setTimeout(lookEvery, undefined, { signal: stop }).catch(() => {})
  }
  return nodes.every((node) => node.isRunning())
}
