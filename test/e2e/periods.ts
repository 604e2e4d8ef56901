import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { applyLoad } from '../../bench/qbft/load.ts'
import { reach } from '../interop/rpcNode.ts'
import { withNetwork } from './explorer/withNetwork.ts'
import { type BlockWatch, type Course, watchBlocks } from './floods/watchBlocks.ts'
import type { Suite, SuiteTerms } from './suite.ts'

const engines = ['qbft', 'ibft2'] as const
/** Milliseconds from block to block. */
const periods = [1000, 500, 250, 100]
const fastPeriod = 250
const validators = 4
/** Transactions a second, and seconds that are counted. */
const rate = 200
const counted = { full: 30, fast: 8 }
/** Blocks before which nothing is counted: the processes are young. */
const warmUp = 20
/** Blocks per block that is due, at least. */
const minShare = 0.9
/** Milliseconds of CPU time in one of the units in which Linux counts it. */
const tick = 10
/** Distance between the ports of two nodes of `quoin network`. */
const portsPerNode = 10

const fieldsOf = (file: string) => readFileSync(file, 'utf8').trim().split(' ').filter(Boolean)

/** Milliseconds of CPU time that the nodes of a network have taken. */
function cpuTimeOf(pid: number): number {
  const times = fieldsOf(`/proc/${pid}/task/${pid}/children`).map((child) => {
    // The name, in parentheses, may have spaces in it.
    const fields = readFileSync(`/proc/${child}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tick
  })
  return times.reduce((sum, time) => sum + time, 0)
}

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

async function count(watch: BlockWatch, pid: number, during: () => Promise<unknown>): Promise<Counted> {
  const [from, before] = [performance.now(), cpuTimeOf(pid)]
  await during()
  const course = watch.since(from)
  return { course, cpu: (cpuTimeOf(pid) - before) / validators / (course.seconds * 1000) }
}

const percent = (share: number) => `${Math.round(100 * share)} %`
const shareOf = ({ course: { blocks, seconds } }: Counted, period: number) => (blocks * period) / (seconds * 1000)

async function tryPeriod(engine: (typeof engines)[number], period: number, terms: SuiteTerms): Promise<string> {
  const { checks, folder, fast } = terms
  const name = `${engine}, ${period} ms`
  const seconds = fast ? counted.fast : counted.full
  let row = ''
  const options = [`--validators=${validators}`, `--consensus=${engine}`, `--block-period=${period}ms`]
  await withNetwork(folder, `${engine}-${period}`, options, async (chain) => {
    const urls = Array.from({ length: validators }, (_, i) => `http://127.0.0.1:${chain.port + portsPerNode * i}`)
    await reach([chain], warmUp)
    const watch = await watchBlocks(chain.port + 1)
    try {
      const idle = await count(watch, chain.pid, () => delay(1000 * seconds))
      let loaded: Counted | undefined
      const load = await applyLoad({ urls, gasPrice: 0n }, 'transfers', rate, seconds, async (send) => {
        loaded = await count(watch, chain.pid, () => Promise.all([send(), delay(1000 * seconds)]))
      })
      const { same, back } = await timesOf(chain.call, 1)
      const shares = [shareOf(idle, period), shareOf(loaded!, period)] as const
      checks.equal(`${name}: at least ${percent(minShare)} of the blocks, idle`, shares[0] >= minShare, true)
      checks.equal(`${name}: at least ${percent(minShare)} of the blocks, loaded`, shares[1] >= minShare, true)
      checks.equal(`${name}: all that was accepted is mined`, load.mined, load.accepted)
      checks.equal(`${name}: times go back`, back, 0)
      checks.equal(`${name}: blocks have the time of their parents`, same > 0, period < 1000)
      const times = `${Math.round(load.p50)} ms | ${Math.round(load.p99)} ms`
      const cpu = `${percent(idle.cpu)} | ${percent(loaded!.cpu)}`
      row = `| ${name} | ${percent(shares[0])} | ${percent(shares[1])} | ${idle.course.gap.toFixed(2)} s | ${times} | ${cpu} |`
    } finally {
      watch.close()
    }
  })
  return row
}

export const periodsSuite: Suite = {
  name: 'periods',
  doc: 'Four validators with a block every 1000, 500, 250 and 100 ms: blocks per block that is due, latency and CPU, idle and loaded (--only 250,ibft2).',
  onlyByName: true,
  whyNot: () => (process.platform === 'linux' ? undefined : 'CPU time is read from /proc'),
  async run(terms) {
    const { only, fast, checks } = terms
    const isWanted = (text: string, all: readonly string[]) =>
      !only.some((one) => all.includes(one)) || only.includes(text)
    const texts = periods.map(String)
    const wanted = periods.filter((period) => (fast ? period === fastPeriod : isWanted(String(period), texts)))
    const rows: string[] = []
    for (const engine of engines.filter((one) => isWanted(one, engines)))
      for (const period of wanted) rows.push(await tryPeriod(engine, period, terms))
    checks.note(
      '| period | blocks, idle | blocks, 200 tx/s | longest gap, idle | median | p99 | CPU per node, idle | 200 tx/s |',
    )
    checks.note(`|${'---|'.repeat(8)}`)
    for (const row of rows) checks.note(row)
  },
}
