import { setTimeout as delay } from 'node:timers/promises'
import { cpuTime } from '../../bench/qbft/consortium.ts'
import { applyLoad, type LoadResult } from '../../bench/qbft/load.ts'
import { reach } from '../interop/rpcNode.ts'
import { childrenOf } from '../support/childrenOf.ts'
import { besuNetwork, type PeriodNetwork, type WithPeriodNetwork } from './besuPeriods.ts'
import { withNetwork } from './explorer/withNetwork.ts'
import { type BlockWatch, type Course, watchBlocks } from './floods/watchBlocks.ts'
import type { Suite, SuiteTerms } from './suite.ts'

const engines = ['qbft', 'ibft2'] as const
/** Milliseconds from block to block. */
const periods = [1000, 500, 250, 100]
const fastPeriod = 250
/** What Besu is tried with: the older version knows whole seconds only. */
const besuPeriods: Readonly<Record<string, readonly number[]>> = { '24.1.2': [1000], '26.8.0': periods }
const validators = 4
/** Transactions a second, and seconds that are counted. */
const rate = 200
const counted = { full: 30, fast: 8 }
/** Blocks before which nothing is counted: the processes are young. */
const warmUp = 20
/** Blocks per block that is due, at least. */
const minShare = 0.9
/** Distance between the ports of two nodes of `quoin network`. */
const portsPerNode = 10

interface Times {
  readonly number: number
  readonly timestamp: string
}

/** How many pairs of blocks have the same time, and whether one goes back. */
async function timesOf(call: <T>(method: string, ...params: unknown[]) => Promise<T>, from: number) {
  const head = Number(await call<string>('eth_blockNumber'))
  const numbers = Array.from({ length: head - from + 1 }, (_, i) => `0x${(from + i).toString(16)}`)
  const blocks = await Promise.all(numbers.map((number) => call<Times>('eth_getBlockByNumber', number, false)))
  const steps = blocks.slice(1).map(({ timestamp }, i) => Number(timestamp) - Number(blocks[i]!.timestamp))
  return { same: steps.filter((step) => step === 0).length, back: steps.filter((step) => step < 0).length }
}

interface Counted {
  readonly course: Course
  /** Share of a core that each node takes. */
  readonly cpu: number
}

async function count(watch: BlockWatch, network: PeriodNetwork, during: () => Promise<unknown>): Promise<Counted> {
  const [from, before] = [performance.now(), cpuTime(network)]
  await during()
  const course = watch.since(from)
  return { course, cpu: (cpuTime(network) - before) / validators / (course.seconds * 1000) }
}

const percent = (share: number) => `${Math.round(100 * share)} %`
const shareOf = ({ course: { blocks, seconds } }: Counted, period: number) => (blocks * period) / (seconds * 1000)

/** A network of Quoin, as its users start it. */
function quoinNetwork(engine: (typeof engines)[number], period: number, { folder }: SuiteTerms): WithPeriodNetwork {
  const options = [`--validators=${validators}`, `--consensus=${engine}`, `--block-period=${period}ms`]
  return (action) =>
    withNetwork(folder, `${engine}-${period}`, options, ({ port, pid, call }) =>
      action({
        urls: Array.from({ length: validators }, (_, i) => `http://127.0.0.1:${port + portsPerNode * i}`),
        wsPort: port + 1,
        pids: childrenOf(pid),
        call,
      }),
    )
}

/** What was seen of a network, for the table. */
interface Seen {
  readonly idle: Counted
  readonly loaded: Counted
  readonly load: LoadResult
  readonly times: Awaited<ReturnType<typeof timesOf>>
}

async function watchNetwork(withNetworkOf: WithPeriodNetwork, seconds: number): Promise<Seen> {
  let seen: Seen | undefined
  await withNetworkOf(async (network) => {
    const { urls, wsPort, call } = network
    await reach([{ name: 'node 0', call }], warmUp)
    const watch = await watchBlocks(wsPort)
    try {
      const idle = await count(watch, network, () => delay(1000 * seconds))
      let loaded = idle
      const load = await applyLoad({ urls, gasPrice: 0n }, 'transfers', rate, seconds, async (send) => {
        loaded = await count(watch, network, () => Promise.all([send(), delay(1000 * seconds)]))
      })
      seen = { idle, loaded, load, times: await timesOf(call, 1) }
    } finally {
      watch.close()
    }
  })
  return seen!
}

function rowOf(name: string, period: number, { idle, loaded, load }: Seen): string {
  const shares = [idle, loaded].map((counted) => percent(shareOf(counted, period)))
  const times = `${Math.round(load.p50)} ms | ${Math.round(load.p99)} ms`
  const cpu = `${percent(idle.cpu)} | ${percent(loaded.cpu)}`
  return `| ${name} | ${shares.join(' | ')} | ${idle.course.gap.toFixed(2)} s | ${times} | ${cpu} |`
}

const secondsOf = ({ fast }: SuiteTerms) => (fast ? counted.fast : counted.full)

async function tryPeriod(engine: (typeof engines)[number], period: number, terms: SuiteTerms): Promise<string> {
  const { checks } = terms
  const name = `${engine}, ${period} ms`
  const seen = await watchNetwork(quoinNetwork(engine, period, terms), secondsOf(terms))
  const { idle, loaded, load, times } = seen
  const [idleShare, loadedShare] = [shareOf(idle, period), shareOf(loaded, period)]
  checks.equal(`${name}: at least ${percent(minShare)} of the blocks, idle`, idleShare >= minShare, true)
  checks.equal(`${name}: at least ${percent(minShare)} of the blocks, loaded`, loadedShare >= minShare, true)
  checks.equal(`${name}: all that was accepted is mined`, load.mined, load.accepted)
  checks.equal(`${name}: times go back`, times.back, 0)
  checks.equal(`${name}: blocks have the time of their parents`, times.same > 0, period < 1000)
  return rowOf(name, period, seen)
}

/** What Besu makes of a period stands beside; nothing is asked of it. */
async function lookAtBesu(version: string, period: number, terms: SuiteTerms): Promise<string> {
  const { checks, folder, peersDir } = terms
  const name = `Besu ${version}, qbft, ${period} ms`
  try {
    return rowOf(name, period, await watchNetwork(besuNetwork({ folder, peersDir, version, period }), secondsOf(terms)))
  } catch (error) {
    checks.note(`${name}: ${(error as Error).message}`)
    return `| ${name} | does not run${' |'.repeat(columns.length - 1)}`
  }
}

const columns = [
  ...['network', 'blocks, idle', 'blocks, 200 tx/s', 'longest gap, idle', 'median', 'p99'],
  ...['CPU per node, idle', '200 tx/s'],
]

export const periodsSuite: Suite = {
  name: 'periods',
  doc: 'Four validators with a block every 1000, 500, 250 and 100 ms: blocks per block that is due, latency and CPU, idle and loaded (--only 250,ibft2); --only besu: of Besu, beside.',
  onlyByName: true,
  whyNot: () => (process.platform === 'linux' ? undefined : 'CPU time is read from /proc'),
  async run(terms) {
    const { only, fast, checks } = terms
    const isWanted = (text: string, all: readonly string[]) =>
      !only.some((one) => all.includes(one)) || only.includes(text)
    const texts = periods.map(String)
    const wanted = periods.filter((period) => (fast ? period === fastPeriod : isWanted(String(period), texts)))
    const rows: string[] = []
    for (const engine of engines.filter((one) => isWanted(one, [...engines, 'besu'])))
      for (const period of wanted) rows.push(await tryPeriod(engine, period, terms))
    if (only.includes('besu'))
      for (const [version, all] of Object.entries(besuPeriods))
        for (const period of all.filter((one) => wanted.includes(one)))
          rows.push(await lookAtBesu(version, period, terms))
    checks.note(`| ${columns.join(' | ')} |`)
    checks.note(`|${'---|'.repeat(columns.length)}`)
    for (const row of rows) checks.note(row)
  },
}
