import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { option, unset } from '../../config/option.ts'
import { boolean, duration, forkOf, integer, oneOf, path } from '../../config/values.ts'
import { defaultDevFork } from '../../forks/devGenesis.ts'
import type { Listening } from '../../http/listen.ts'
import type { Sources } from '../../sources/createSources.ts'
import { type CommandContext, command } from '../command.ts'
import { type KeptNode, keepRunning } from '../network/keepRunning.ts'
import { explorerAddress, startNetworkExplorer } from '../network/networkExplorer.ts'
import { type NetworkPlan, networkEngines, networkForks, openNetworkPlan } from '../network/networkPlan.ts'
import { openNetworkSources } from '../network/networkSources.ts'
import { networkHeading, networkLines, stateLines } from '../network/networkSummary.ts'
import { startNodeProcess } from '../network/nodeProcess.ts'
import { restartCommand } from '../network/restartCommand.ts'
import { refuseTakenPorts } from '../network/takenPorts.ts'
import { type WatchedNodes, watchNodes } from '../network/watchNodes.ts'

/** Seconds of a day. */
const maxPeriod = 86_400
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
    'block-period': option(
      duration(maxPeriod),
      unset('1s'),
      'command',
      'From block to block: 250ms, 2s. Clique has whole seconds.',
      { aliases: ['period'] },
    ),
    'base-port': option(
      integer(1024, 65_000),
      unset('8545'),
      'command',
      'JSON-RPC port of node 0. The next ports are WebSocket, GraphQL, the explorer of all nodes, the manager of private transactions and P2P; the ports of each further node are 10 higher.',
    ),
    fork: option(forkOf(networkForks), unset(defaultDevFork), 'command', `Rules: ${networkForks.join(', ')}.`),
    privacy: option(
      boolean,
      false,
      'command',
      'Enable private transactions: each node has a key of its own. An existing network keeps them.',
    ),
    dir: option(path('DIRECTORY'), 'quoin-network', 'command', 'Directory of the network.'),
    sources: option(
      boolean,
      false,
      'command',
      'Verify and keep sources of contracts, at the port of the explorer: the APIs of Sourcify (/v2) and Etherscan (/api).',
    ),
    compilers: option(
      path('DIRECTORY'),
      unset("npm's solc, where it is installed"),
      'command',
      'Directory of Solidity compilers for --sources.',
    ),
  },
  async (values, { io }) => {
    const dir = resolve(values.dir)
    const { validators, consensus, 'block-period': period, 'base-port': basePort, fork, privacy } = values
    const plan = openNetworkPlan(dir, { validators, consensus, period, basePort, fork, privacy })
    await refuseTakenPorts(plan)
    const stop = new AbortController()
    const onSignal = () => stop.abort()
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    for (const signal of signals) process.once(signal, onSignal)
    const nodes = plan.nodes.map(({ address }, i) =>
      keepRunning({ start: () => startNodeProcess(dir, plan, i), address, now: () => performance.now() }),
    )
    const watched = watchNodes(plan, nodes)
    let explorer: Listening | undefined
    let sources: Sources | undefined
    try {
      sources = values.sources ? await openNetworkSources(dir, plan, values.compilers) : undefined
      explorer = await startNetworkExplorer(plan, watched.state, sources)
      io.stdout(networkHeading(dir, plan, restartCommand(dir, io.env), explorerAddress(explorer), io.columns))
      const hopeful = await watch(plan, nodes, watched, stop.signal, io)
      io.stdout('  stopping\n')
      return hopeful ? 0 : 1
    } finally {
      sources?.stop()
      await Promise.all([explorer?.close(), ...nodes.map((node) => node.stop())])
      for (const signal of signals) process.off(signal, onSignal)
    }
  },
)

/** Shows the status of the nodes until stopped; returns false if no node can be started. */
async function watch(
  plan: NetworkPlan,
  nodes: readonly KeptNode[],
  watched: WatchedNodes,
  stop: AbortSignal,
  io: CommandContext['io'],
): Promise<boolean> {
  const terminal = process.stdout.isTTY === true
  const fit = (line: string) => (terminal ? `${line.slice(0, io.columns - 1)}\x1b[K` : line)
  let shown = 0
  let down = ''
  for (let look = 0; !stop.aborted; look++) {
    // Those that hang keep the others from nothing.
    await Promise.race([watched.look(), setTimeout(lookEvery)])
    const reports = watched.reports()
    const { level, ...state } = watched.state()
    const nowDown = [level, ...reports.map((report) => (report.state === 'up' ? '.' : 'x'))].join('')
    // Without a terminal a line every few seconds is enough, unless a node went down or came back.
    if (terminal || look % looksPerLine === 0 || nowDown !== down) {
      const lines = [...networkLines(plan, reports), ...stateLines({ level, ...state }, io.columns)]
      const back = terminal && shown > 0 ? `\x1b[${shown}A` : ''
      const clear = terminal ? '\x1b[J' : ''
      io.stdout(`${back}${lines.map(fit).join('\n')}\n${clear}`)
      shown = lines.length
      down = nowDown
    }
    if (nodes.every((node) => node.isHopeless())) return false
    await setTimeout(lookEvery, undefined, { signal: stop }).catch(() => {})
  }
  return true
}
