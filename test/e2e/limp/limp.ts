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
  /** Two of four are Besu, one of which is ill or well, or all of them are. */
  readonly besu?: keyof typeof besuSeats
}

/** Which of the four are Besu; the last is ill. */
const besuSeats = { ill: [2, 3], well: [1, 2], all: [0, 1, 2, 3] } as const
/** Of a share of blocks, how much two runs of the same may differ. */
const noise = 0.1

const cases: readonly Case[] = [4, 7].flatMap((validators) =>
  [2, 4, 10].map((requestTimeoutSeconds) => ({ validators, faulty: (validators - 1) / 3, requestTimeoutSeconds })),
)

const besuCases: readonly Case[] = [2, 4, 10].flatMap((requestTimeoutSeconds) =>
  (['all', 'ill', 'well'] as const).map((besu) => ({ validators: 4, faulty: 1, requestTimeoutSeconds, besu })),
)

const nameOf = ({ validators, requestTimeoutSeconds, besu }: Case) =>
  `${validators}/${requestTimeoutSeconds}${besu ? `/besu-${besu}` : ''}`

const percent = (share: number) => `${Math.round(100 * share)} %`

async function blocksSince({ process }: LimpNode, first: number) {
  const head = Number(await process.call<string>('eth_blockNumber'))
  const numbers = Array.from({ length: Math.max(0, head - first + 1) }, (_, i) => first + i)
  return Promise.all(
    numbers.map((number) => process.call<{ miner: string }>('eth_getBlockByNumber', `0x${number.toString(16)}`, false)),
  )
}

/** What was seen of an ailment: blocks per block that is due, and that as text. */
interface Seen {
  readonly share: number
  readonly text: string
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
  { faulty, requestTimeoutSeconds, besu }: Case,
  { checks, fast }: SuiteTerms,
): Promise<Seen> {
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
  const text = `${percent(share)} (${gap.toFixed(1)} s)`
  // Besu waits for the timeout, whatever others say.
  if (!besu)
    checks.equal(`${ailment.name}: at least ${percent(minShare)} of the blocks, ${text}`, share >= minShare, true)
  if (fast) return { share, text }
  await checks.step(`${ailment.name}: all are as before`, async () => {
    await advance(
      nodes.map(({ process }) => process),
      2,
    )
    const blocksUntil = await proposedAgain(witness, ill)
    checks.note(`${ailment.name}: well again, they propose after ${blocksUntil} blocks at most`)
    if (blocksUntil > returnTurns * nodes.length) throw new Error(`they propose only after ${blocksUntil} blocks`)
  })
  return { share, text }
}

async function runCase(one: Case, terms: SuiteTerms, chosen: readonly Ailment[]): Promise<Map<string, Seen>> {
  const { checks, peersDir } = terms
  const results = new Map<string, Seen>()
  const folder = join(terms.folder, nameOf(one).replaceAll('/', '-'))
  const besu = one.besu ? besuSeats[one.besu] : []
  const network = await openLimpNetwork({ folder, consensus: 'qbft', ...one, besu, peersDir })
  try {
    for (const { process } of network.nodes) process.start()
    await advance(
      network.nodes.map(({ process }) => process),
      one.validators + 1,
    )
    const watch = await watchBlocks(network.nodes[0]!.wsPort)
    try {
      for (const ailment of chosen) {
        const seen = await tryAilment(ailment, network, watch, one, terms)
        results.set(ailment.name, seen)
        checks.note(`${titleOf(one)}, ${ailment.name}: ${seen.text}`)
      }
    } finally {
      watch.close()
    }
  } finally {
    await network.close()
  }
  return results
}

const besuTitles = { all: 'four Besu', ill: 'two Besu, one of them ill', well: 'two Besu, a Quoin ill' } as const
const titleOf = ({ validators, requestTimeoutSeconds, besu }: Case) =>
  `${besu ? besuTitles[besu] : validators}, ${requestTimeoutSeconds} s`

type Column = readonly [Case, Map<string, Seen>]

function printTable({ note }: SuiteTerms['checks'], columns: readonly Column[]): void {
  note(`| validators, timeout | ${columns.map(([one]) => titleOf(one)).join(' | ')} |`)
  note(`|${'---|'.repeat(columns.length + 1)}`)
  for (const { name } of ailments) {
    const cells = columns.map(([, results]) => results.get(name)?.text ?? '')
    if (cells.some(Boolean)) note(`| ${name} | ${cells.join(' | ')} |`)
  }
}

/** A network with Besu in it must make no fewer blocks than one of Besu alone, which has nothing but the timeout. */
function compareWithBesu(checks: SuiteTerms['checks'], columns: readonly Column[]): void {
  for (const [one, results] of columns) {
    if (!one.besu || one.besu === 'all') continue
    const alone = columns.find(
      ([{ besu, requestTimeoutSeconds }]) => besu === 'all' && requestTimeoutSeconds === one.requestTimeoutSeconds,
    )
    for (const [name, { share, text }] of results) {
      const other = alone?.[1].get(name)
      if (!other) continue
      const title = `${titleOf(one)}, ${name}: ${text}, no fewer blocks than four Besu, ${other.text}`
      checks.equal(title, share >= other.share - noise, true)
    }
  }
}

export const limpSuite: Suite = {
  name: 'limp',
  doc: 'Networks of four and seven of which one or two are killed, hung, cut off, slow, wrong: blocks that they make all the same (--only besu: with two real Besu among four, beside four of them).',
  onlyByName: true,
  async run(terms) {
    const { only, fast, checks } = terms
    const withBesu = only.some((text) => text.includes('besu'))
    const all = withBesu ? besuCases : cases
    const isSize = (text: string) => text === 'besu' || all.some((one) => nameOf(one) === text)
    const sizes = fast && !withBesu ? cases.filter((one) => nameOf(one) === '4/10') : all
    const wanted = only.some((text) => text !== 'besu' && isSize(text))
      ? sizes.filter((one) => only.includes(nameOf(one)))
      : sizes
    const named = only.filter((text) => !isSize(text))
    const possible = withBesu ? ailments.slice(0, 2) : fast ? ailments.slice(1, 2) : ailments
    const chosen = possible.filter(({ name }) => named.length === 0 || named.some((text) => name.includes(text)))
    const columns: Column[] = []
    for (const one of wanted) columns.push([one, await runCase(one, terms, chosen)])
    printTable(checks, columns)
    compareWithBesu(checks, columns)
  },
}
