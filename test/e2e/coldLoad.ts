import { applyLoad, type Workload } from '../../bench/qbft/load.ts'
import { withNetwork } from './explorer/withNetwork.ts'
import { watchBlocks } from './floods/watchBlocks.ts'
import type { Suite, SuiteTerms } from './suite.ts'

const validators = 4
/** Distance between the ports of two nodes of `quoin network`. */
const portsPerNode = 10
/** The first load of a network: transactions a second, and seconds. */
const loads: readonly { readonly name: string; readonly workload: Workload; readonly rate: number }[] = [
  { name: 'transfers', workload: 'transfers', rate: 500 },
  { name: 'tokens', workload: 'ERC-20 transfers', rate: 200 },
]
const loadSeconds = 8
const starts = { full: 10, fast: 1 }
/** Seconds from one block to the next at most, at a period of one second, in this share of the starts. */
const maxGap = 1.5
const minShare = 0.9

interface Start {
  readonly gap: number
  readonly p99: number
}

/** Starts a network that nobody has used, and gives it a load at once. */
async function tryStart(
  { name, workload, rate }: (typeof loads)[number],
  number: number,
  { checks, folder }: SuiteTerms,
): Promise<Start> {
  let start: Start = { gap: Number.POSITIVE_INFINITY, p99: Number.NaN }
  await withNetwork(folder, `${name}-${number}`, [`--validators=${validators}`], async ({ port }) => {
    const urls = Array.from({ length: validators }, (_, i) => `http://127.0.0.1:${port + portsPerNode * i}`)
    const watch = await watchBlocks(port + 1)
    try {
      let gap = 0
      const load = await applyLoad({ urls, gasPrice: 0n }, workload, rate, loadSeconds, async (send) => {
        const from = performance.now()
        await send()
        gap = watch.since(from).gap
      })
      start = { gap, p99: load.p99 }
      checks.equal(`${name}, start ${number}: all that was accepted is mined`, load.mined, load.accepted)
    } finally {
      watch.close()
    }
  })
  return start
}

export const coldLoadSuite: Suite = {
  name: 'cold-load',
  doc: 'Networks of four that were never used take their first load: the longest gap between blocks, ten starts (--only transfers, tokens).',
  onlyByName: true,
  async run(terms) {
    const { checks, only, fast } = terms
    const count = fast ? starts.fast : starts.full
    for (const load of loads.filter(({ name }) => only.length === 0 || only.includes(name))) {
      const seen: Start[] = []
      for (let number = 1; number <= count; number++) seen.push(await tryStart(load, number, terms))
      const good = seen.filter(({ gap }) => gap <= maxGap).length
      const texts = seen.map(({ gap, p99 }) => `${gap.toFixed(2)} (${Math.round(p99)})`)
      checks.note(`${load.rate} ${load.name}/s: longest gap in s (p99 in ms): ${texts.join(', ')}`)
      checks.equal(
        `${load.rate} ${load.name}/s: ${good} of ${count} starts without a gap above ${maxGap} s`,
        good >= minShare * count,
        true,
      )
    }
  },
}
