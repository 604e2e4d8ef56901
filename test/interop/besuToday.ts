import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BesuNode, createBesuNetwork } from './besuNetwork.ts'
import { createBesuProcess } from './besuProcess.ts'
import type { Interop, InteropTerms } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { whyNoVersion } from './peerProgram.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, heightOf, type RpcNode, reach, sameBlocks } from './rpcNode.ts'
import { startTransferLoad } from './transferLoad.ts'

/** A Besu as it is started: its version, and whether it writes messages as before 26.1. */
interface Make {
  readonly version: string
  readonly isLegacy?: boolean
}

const today: Make = { version: '26.8.0' }
const todayLegacy: Make = { version: '26.8.0', isLegacy: true }
const before: Make = { version: '24.1.2' }

/** What the two nodes of Besu are, one step after the other; each step restarts one of them. */
const steps: readonly (readonly [Make, Make])[] = [
  [before, before],
  [today, before],
  [today, today],
  [todayLegacy, today],
  [todayLegacy, todayLegacy],
  [today, todayLegacy],
  [today, today],
  [before, today],
]

/** Blocks between two steps, seconds from block to block, and how many of these may pass without a block. */
const stretch = 12
const period = 2
const maxPeriods = 3

const nameOf = ({ version, isLegacy }: Make) => `${version}${isLegacy ? ', legacy' : ''}`

/** A Besu of a version in a seat; each version has a database of its own, and the key and peers of the seat. */
function besuIn(terms: InteropTerms, genesisFile: string, seat: BesuNode, { version }: Make): NodeProcess {
  const { peersDir, folder } = terms
  const own = join(folder, `besu-${version}-${seat.httpPort}`)
  mkdirSync(own, { recursive: true })
  for (const file of ['key', 'static-nodes.json']) copyFileSync(join(seat.folder, file), join(own, file))
  const { httpPort, p2pPort } = seat
  const named = { name: `besu ${version}`, folder: own, httpPort, p2pPort }
  return createBesuProcess({ seat: named, peersDir, genesisFile, version, apis: 'ADMIN,ETH,IBFT,NET,QBFT,WEB3' })
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

/** Two validators of Quoin, and two of Besu that go from one version and encoding to the next, under load. */
async function run(type: 'qbft' | 'ibft2', terms: InteropTerms): Promise<void> {
  const { checks, peersDir, folder, basePort } = terms
  const network = createBesuNetwork({
    peersDir,
    folder: join(folder, `${type}-network`),
    type,
    nodes: 4,
    basePort,
    period,
  })
  const { genesisFile } = network
  const quoins = network.nodes
    .slice(2)
    .map((node, i) => createQuoinProcess({ ...node, name: `quoin ${i}`, genesisFile }))
  const started = new Set<NodeProcess>(quoins)
  const seats: (NodeProcess | undefined)[] = [undefined, undefined]
  const running: (Make | undefined)[] = [undefined, undefined]
  const nodes = () => [...quoins, ...seats.flatMap((node) => node ?? [])]

  async function change(seat: number, make: Make): Promise<void> {
    await seats[seat]?.stop()
    const node = besuIn({ ...terms, folder: join(folder, type) }, genesisFile, network.nodes[seat]!, make)
    started.add(node)
    node.start(...(make.isLegacy ? ['--Xbft-legacy-protocol-encoding=true'] : []))
    seats[seat] = node
    running[seat] = make
  }

  mkdirSync(join(folder, type), { recursive: true })
  try {
    for (const quoin of quoins) quoin.start()
    for (const [seat, make] of steps[0]!.entries()) await change(seat, make)
    await checks.step(`${type}: Besu ${steps[0]!.map(nameOf).join(' and ')}: all four make blocks`, () =>
      reach(nodes(), stretch),
    )
    const load = startTransferLoad(() => quoins)
    for (const wanted of steps.slice(1)) {
      const from = await heightOf(quoins[0]!)
      for (const [seat, make] of wanted.entries()) if (running[seat] !== make) await change(seat, make)
      await checks.step(`${type}: Besu ${wanted.map(nameOf).join(' and ')}: all four make blocks`, () =>
        advance(nodes(), stretch),
      )
      const gap = await longestGap(quoins[0]!, from, await heightOf(quoins[0]!))
      checks.note(`the longest time between two blocks was ${gap} s`)
      checks.equal('no gap is above three periods', gap <= maxPeriods * period, true)
    }
    const sent = await load.stop()
    await advance(nodes(), 2)
    const count = Number(await quoins[0]!.call<string>('eth_getTransactionCount', load.sender, 'latest'))
    checks.equal('transfers that failed', sent - count, 0)
    await sameBlocks(checks, nodes(), 0, Math.min(...(await Promise.all(nodes().map(heightOf)))))
  } finally {
    await Promise.all([...started].map((node) => node.stop()))
  }
}

/** Versions of Besu in one network with Quoin, through both encodings of messages and back. */
export const besuToday: Interop = {
  name: 'besu-today',
  doc: '2 Quoin and 2 Besu validators whose Besu goes from 24.1.2 to 26.8.0, through both encodings of messages, and back.',
  needs: ['besu'],
  whyNot: async ({ peersDir }) =>
    [before, today].map(({ version }) => whyNoVersion(version, peersDir)).find((why) => why !== undefined),
  run: async (terms) => {
    await run('qbft', terms)
    await run('ibft2', { ...terms, basePort: terms.basePort + 60 })
  },
}
