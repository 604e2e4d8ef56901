import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { advance } from '../../interop/rpcNode.ts'
import type { BlockWatch } from '../floods/watchBlocks.ts'
import { watchBlocks } from '../floods/watchBlocks.ts'
import type { Suite, SuiteTerms } from '../suite.ts'
import { type Ailment, ailments } from './ailments.ts'
import { type LimpNetwork, type LimpNode, openLimpNetwork } from './limpNetwork.ts'

/** Seconds of a block period, and milliseconds in which blocks are counted. */
const period = 1
const counted = { full: 40_000, fast: 12_000 }
/** Blocks per block that is due, at least, from the second missed turn on. */
const minShare = 0.85
/** Rounds of turns in which one that is well again has to propose. */
const returnTurns = 4
/** Milliseconds that all may take to be as before. */
const recovery = 120_000

interface Case {
  readonly validators: number
  readonly faulty: number
  readonly requestTimeoutSeconds: number
}

const cases: readonly Case[] = [4, 7].flatMap((validators) =>
  [2, 4, 10].map((requestTimeoutSeconds) => ({ validators, faulty: (validators - 1) / 3, requestTimeoutSeconds })),
)

const nameOf = ({ validators, requestTimeoutSeconds }: Case) => `${validators}/${requestTimeoutSeconds}`

const percent = (share: number) => `${Math.round(100 * share)} %`

async function blocksSince({ process }: LimpNode, first: number) {
  const head = Number(await process.call<string>('eth_blockNumber'))
  const numbers = Array.from({ length: Math.max(0, head - first + 1) }, (_, i) => first + i)
  return Promise.all(
    numbers.map((number) => process.call<{ miner: string }>('eth_getBlockByNumber', `0x${number.toString(16)}`, false)),
  )
}

/** Waits until each of these has proposed; gives how many blocks that took. */
async function proposedAgain(witness: LimpNode, who: readonly LimpNode[]): Promise<number> {
  const first = Number(await witness.process.call<string>('eth_blockNumber')) + 1
  const end = performance.now() + recovery
  while (performance.now() < end) {
    await delay(500)
    const miners = (await blocksSince(witness, first)).map(({ miner }) => miner.toLowerCase())
    const last = who.map(({ address }) => miners.indexOf(address))
    if (last.every((at) => at >= 0)) return Math.max(...last) + 1
  }
  throw new Error(`not all of ${who.map(({ address }) => address)} propose within ${recovery / 1000} s`)
}

async function tryAilment(
  ailment: Ailment,
  { nodes }: LimpNetwork,
  watch: BlockWatch,
  { faulty, requestTimeoutSeconds }: Case,
  { checks, fast }: SuiteTerms,
): Promise<string> {
  const [witness] = nodes as [LimpNode, ...LimpNode[]]
  const ill = nodes.slice(-faulty)
  const heal = ill.map((node) => ailment.begin(node))
  // Each of them misses a turn, whose round may take all of its time.
  const turns = nodes.length * period + faulty * (requestTimeoutSeconds + period)
  await delay(1000 * (fast ? nodes.length * period + requestTimeoutSeconds : turns))
  const from = performance.now()
  await delay(fast ? counted.fast : counted.full)
  const { blocks, seconds, gap } = watch.since(from)
  for (const end of heal) await end()
  const share = (blocks * period) / seconds
  const result = `${percent(share)} (${gap.toFixed(1)} s)`
  checks.equal(`${ailment.name}: at least ${percent(minShare)} of the blocks, ${result}`, share >= minShare, true)
  if (fast) return result
  await checks.step(`${ailment.name}: all are as before`, async () => {
    await advance(
      nodes.map(({ process }) => process),
      2,
    )
    const blocksUntil = await proposedAgain(witness, ill)
    checks.note(`${ailment.name}: well again, they propose after ${blocksUntil} blocks at most`)
    if (blocksUntil > returnTurns * nodes.length) throw new Error(`they propose only after ${blocksUntil} blocks`)
  })
  return result
}

async function runCase(one: Case, terms: SuiteTerms, chosen: readonly Ailment[]): Promise<Map<string, string>> {
  const { checks } = terms
  const results = new Map<string, string>()
  const folder = join(terms.folder, nameOf(one).replace('/', '-'))
  const network = await openLimpNetwork({ folder, consensus: 'qbft', ...one })
  try {
    for (const { process } of network.nodes) process.start()
    await advance(
      network.nodes.map(({ process }) => process),
      one.validators + 1,
    )
    const watch = await watchBlocks(network.nodes[0]!.wsPort)
    try {
      for (const ailment of chosen) {
        const result = await tryAilment(ailment, network, watch, one, terms)
        results.set(ailment.name, result)
        checks.note(`${one.validators} validators, timeout ${one.requestTimeoutSeconds} s, ${ailment.name}: ${result}`)
      }
    } finally {
      watch.close()
    }
  } finally {
    await network.close()
  }
  return results
}

function printTable({ note }: SuiteTerms['checks'], columns: readonly (readonly [Case, Map<string, string>])[]): void {
  const titles = columns.map(([{ validators, requestTimeoutSeconds }]) => `${validators}, ${requestTimeoutSeconds} s`)
  note(`| validators, timeout | ${titles.join(' | ')} |`)
  note(`|${'---|'.repeat(columns.length + 1)}`)
  for (const { name } of ailments) {
    const cells = columns.map(([, results]) => results.get(name) ?? '')
    if (cells.some(Boolean)) note(`| ${name} | ${cells.join(' | ')} |`)
  }
}

export const limpSuite: Suite = {
  name: 'limp',
  doc: 'Networks of four and seven of which one or two are killed, hung, cut off, slow, wrong: blocks that they make all the same.',
  onlyByName: true,
  async run(terms) {
    const { only, fast, checks } = terms
    const isSize = (text: string) => cases.some((one) => nameOf(one) === text)
    const sizes = fast ? cases.filter((one) => nameOf(one) === '4/10') : cases
    const wanted = only.some(isSize) ? sizes.filter((one) => only.includes(nameOf(one))) : sizes
    const named = only.filter((text) => !isSize(text))
    const chosen = fast
      ? ailments.slice(1, 2)
      : ailments.filter(({ name }) => named.length === 0 || named.some((text) => name.includes(text)))
    const columns: (readonly [Case, Map<string, string>])[] = []
    for (const one of wanted) columns.push([one, await runCase(one, terms, chosen)])
    printTable(checks, columns)
  },
}
