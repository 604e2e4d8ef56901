import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BesuNode, createBesuNetwork } from './besuNetwork.ts'
import { createBesuProcess } from './besuProcess.ts'
import { castVotes, type Engine } from './castVotes.ts'
import type { Checks } from './checks.ts'
import type { Interop, InteropTerms } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { whyNoVersion } from './peerProgram.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, heightOf, type RpcNode, reach, sameBlocks } from './rpcNode.ts'
import { underTransferLoad } from './transferLoad.ts'

/** A Besu as it is started: its version, and whether it writes messages as before 26.1. */
interface Make {
  readonly version: string
  readonly isLegacy?: boolean
  readonly options?: readonly string[]
}

const today: Make = { version: '26.8.0' }
const legacy: Make = { version: '26.8.0', isLegacy: true, options: ['--Xbft-legacy-protocol-encoding=true'] }
const march: Make = { version: '24.1.2' }
// With Bonsai, its default, it validates proposals on a state that its synchronisation changes, and stops at a block.
const july: Make = { version: '24.5.4', options: ['--data-storage-format=FOREST'] }

/** A network of both. */
interface Plan {
  readonly name: string
  readonly engine: Engine
  readonly quoins: number
  /** What the nodes of Besu are, one step after the other; those that differ are restarted one by one. */
  readonly steps: readonly (readonly Make[])[]
  /**
   * After which of them the validators vote, and a Quoin is killed. All have to read each other then: a Besu of today
   * whose proposals those of before cannot read is one that is away for them.
   */
  readonly turmoilAfter: number
}

/** Through both encodings of messages, and back to where it began. */
const two: readonly (readonly Make[])[] = [
  [march, july],
  [legacy, july],
  [today, july],
  [today, legacy],
  [legacy, legacy],
  [today, today],
  [march, today],
  [march, july],
]

const plans: readonly Plan[] = [
  { name: 'four of QBFT', engine: 'qbft', quoins: 2, steps: two, turmoilAfter: 1 },
  {
    name: 'seven of QBFT',
    engine: 'qbft',
    quoins: 3,
    // Besu of before reads no proposals of Besu of today without the legacy flag: where six of seven do, one more may be away.
    steps: [
      [march, march, july, july],
      [legacy, march, july, legacy],
      [legacy, today, july, legacy],
      [legacy, today, today, today],
      [today, today, today, today],
      [legacy, march, legacy, july],
      [march, march, july, july],
    ],
    turmoilAfter: 1,
  },
  { name: 'four of IBFT 2.0', engine: 'ibft2', quoins: 2, steps: two, turmoilAfter: 1 },
]

/** Blocks between two steps, seconds from block to block and of a round, and how many periods may pass without a block. */
const stretch = 10
const period = 2
const roundTimeout = 3
const maxPeriods = 3
/** Ports of a plan. */
const portsOfPlan = 100

const nameOf = ({ version, isLegacy }: Make) => `${version}${isLegacy ? ' (legacy)' : ''}`
const namesOf = (makes: readonly Make[]) => `Besu ${makes.map(nameOf).join(', ')}`

/** A Besu of a version in a seat; each version has a database of its own, and the key and peers of the seat. */
function besuIn(peersDir: string, folder: string, genesisFile: string, seat: BesuNode, make: Make): NodeProcess {
  const { version, options = [] } = make
  const own = join(folder, `besu-${version}-${seat.httpPort}`)
  mkdirSync(own, { recursive: true })
  for (const file of ['key', 'static-nodes.json']) copyFileSync(join(seat.folder, file), join(own, file))
  const { httpPort, p2pPort } = seat
  const named = { name: `besu ${version} ${httpPort}`, folder: own, httpPort, p2pPort }
  const node = createBesuProcess({ seat: named, peersDir, genesisFile, version, apis: 'ADMIN,ETH,IBFT,NET,QBFT,WEB3' })
  node.start(...options)
  return node
}

/** The longest time between two blocks of a stretch, in seconds. */
async function longestGap(node: RpcNode, from: number, to: number): Promise<number> {
  let longest = 0
  let last: number | undefined
  for (let number = from; number <= to; number++) {
    const { timestamp } = await node.call<{ timestamp: string }>(
      'eth_getBlockByNumber',
      `0x${number.toString(16)}`,
      false,
    )
    if (last !== undefined) longest = Math.max(longest, Number(timestamp) - last)
    last = Number(timestamp)
  }
  return longest
}

/** A network whose nodes of Besu go from version to version. */
class RollingNetwork {
  readonly genesisFile: string
  readonly quoins: readonly NodeProcess[]
  /** The Quoin that is killed now, if one is. */
  away: NodeProcess | undefined
  private readonly besus: NodeProcess[] = []
  private readonly makes: Make[] = []
  private readonly seats: readonly BesuNode[]
  private readonly peersDir: string
  private readonly folder: string

  constructor(plan: Plan, folder: string, { peersDir, basePort }: InteropTerms) {
    mkdirSync(folder, { recursive: true })
    const besus = plan.steps[0]!.length
    const options = { peersDir, folder: join(folder, 'network'), type: plan.engine, basePort, period, roundTimeout }
    const { nodes, genesisFile } = createBesuNetwork({ ...options, nodes: besus + plan.quoins })
    this.genesisFile = genesisFile
    this.seats = nodes
    this.quoins = nodes.slice(besus).map((node, i) => createQuoinProcess({ ...node, name: `quoin ${i}`, genesisFile }))
    this.peersDir = peersDir
    this.folder = folder
  }

  nodes(): readonly NodeProcess[] {
    return [...this.besus, ...this.quoins]
  }

  addressOf(node: NodeProcess): string {
    return this.seats[this.nodes().indexOf(node)]!.address
  }

  /** Starts the Besus of a step; of those that run, only those that are not yet what it says. */
  async goTo(makes: readonly Make[]): Promise<void> {
    for (const [i, make] of makes.entries()) {
      if (this.makes[i] === make) continue
      const isFirst = this.makes[i] === undefined
      await this.besus[i]?.stop()
      this.besus[i] = besuIn(this.peersDir, this.folder, this.genesisFile, this.seats[i]!, make)
      this.makes[i] = make
      if (!isFirst) await advance(this.nodes(), 2)
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes().map((node) => node.stop()))
  }
}

/** Votes a validator out and in again, and kills a Quoin, which comes back. */
async function turmoil(checks: Checks, network: RollingNetwork, { engine }: Plan): Promise<void> {
  const nodes = network.nodes()
  const last = network.quoins.at(-1)!
  const address = network.addressOf(last)
  await castVotes(checks, nodes, engine, { address, add: false })
  await checks.step('the others go on without it', () => advance(nodes, stretch / 2))
  await castVotes(
    checks,
    nodes.filter((node) => node !== last),
    engine,
    { address, add: true },
  )
  await checks.step('all go on', () => advance(nodes, stretch / 2))
  network.away = last
  await last.kill()
  await checks.step('the others go on when it is killed', () =>
    advance(
      nodes.filter((node) => node !== last),
      stretch / 2,
    ),
  )
  last.start()
  await checks.step('it comes back', () => advance(nodes, 2))
  network.away = undefined
}

async function run(plan: Plan, terms: InteropTerms, folder: string): Promise<void> {
  const { checks } = terms
  const network = new RollingNetwork(plan, folder, terms)
  const { quoins } = network
  const [first] = quoins as [NodeProcess]
  try {
    for (const quoin of quoins) quoin.start()
    await network.goTo(plan.steps[0]!)
    await checks.step(`${namesOf(plan.steps[0]!)}: all make blocks`, () => reach(network.nodes(), stretch))
    await underTransferLoad(
      () => quoins.filter((quoin) => quoin !== network.away),
      async (load) => {
        for (const [i, makes] of plan.steps.entries()) {
          const from = await heightOf(first)
          await network.goTo(makes)
          await checks.step(`${namesOf(makes)}: all make blocks`, () => advance(network.nodes(), stretch))
          if (i === plan.turmoilAfter) await turmoil(checks, network, plan)
          const gap = await longestGap(first, from, await heightOf(first))
          checks.note(`the longest time between two blocks was ${gap} s`)
          checks.equal('no gap is above three periods', gap <= maxPeriods * period, true)
        }
        const sent = await load.stop()
        await advance(network.nodes(), 2)
        const count = Number(await first.call<string>('eth_getTransactionCount', load.sender, 'latest'))
        checks.note(`${sent} transfers were sent`)
        checks.equal('transfers that failed', sent - count, 0)
        const nodes = network.nodes()
        await sameBlocks(checks, nodes, 0, Math.min(...(await Promise.all(nodes.map(heightOf)))))
      },
    )
  } finally {
    await network.stop()
  }
}

/** Versions of Besu in one network with Quoin, through both encodings of messages and back. */
export const besuToday: Interop = {
  name: 'besu-today',
  doc: 'networks of 4 and 7 with Quoin, whose nodes of Besu go from 24.1.2 and 24.5.4 to 26.8.0, through both encodings of messages, and back.',
  needs: ['besu'],
  whyNot: async ({ peersDir }) =>
    [march, july, today].map(({ version }) => whyNoVersion(version, peersDir)).find((why) => why !== undefined),
  run: async (terms) => {
    for (const [i, plan] of plans.entries()) {
      const own = { ...terms, basePort: terms.basePort + portsOfPlan * i }
      await terms.checks.step(plan.name, () => run(plan, own, join(terms.folder, `${i}`)))
    }
  },
}
