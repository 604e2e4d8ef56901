import { join } from 'node:path'
import type { NetworkEngine } from '../../../src/cli/network/networkPlan.ts'
import { ibft2Protocol } from '../../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../../src/consensus/qbft/qbftProtocol.ts'
import { createTapReader } from '../../chaos/tapReader.ts'
import { createRandom } from '../../fuzz/random.ts'
import { eventually, heightOf, reach } from '../../interop/rpcNode.ts'
import type { Suite, SuiteTerms } from '../suite.ts'
import { type Attempt, attempts, createAttempts, hasNoticed } from './attempts.ts'
import { openTwinNetwork, type TwinNetwork } from './twinNetwork.ts'

const protocols = { qbft: qbftProtocol, ibft2: ibft2Protocol, clique: undefined } as const
/** Attempts with each engine. */
const counts: Readonly<Record<NetworkEngine, number>> = { qbft: 90, ibft2: 50, clique: 60 }
const fastCount = 6
const seed = 51

interface Metrics {
  readonly address: string
  readonly lastProposedBlockNumber: string
}

/** Waits until a key makes blocks. */
async function makes({ others }: TwinNetwork, engine: NetworkEngine, address: string): Promise<void> {
  const [{ process: node }] = others as [(typeof others)[number]]
  const from = await heightOf(node)
  const method = `${engine === 'ibft2' ? 'ibft' : engine}_getSignerMetrics`
  await eventually(`${address} makes a block`, async () => {
    const all = await node.call<readonly Metrics[]>(method)
    return all.some((one) => one.address === address && Number(one.lastProposedBlockNumber) > from)
  })
}

async function tryEngine(engine: NetworkEngine, wanted: readonly Attempt[], terms: SuiteTerms): Promise<number> {
  const { checks, fast } = terms
  const folder = join(terms.folder, engine)
  const network = await openTwinNetwork(folder, engine)
  const { file, served, others, server } = network
  const random = createRandom(seed)
  const attempt = createAttempts({ network, folder, random })
  const protocol = protocols[engine]
  const files = (seats: readonly { readonly tapFile: string }[]) => seats.map(({ tapFile }) => tapFile)
  // Blocks of Clique are told apart by who writes them down.
  const taps = [createTapReader(protocol, files(file.seats)), createTapReader(protocol, files(served.seats))]
  const conflicts: string[] = []
  const count = fast ? fastCount : counts[engine]
  let made = 0
  try {
    await server.start('--new-record=0')
    await Promise.all([file.seats[0], served.seats[0], ...others].map((seat) => seat.start()))
    await reach(
      others.map((seat) => seat.process),
      3,
    )
    for (; made < count; made++) {
      const kind = wanted[made % wanted.length]!
      const height = await heightOf(others[0]!.process)
      await attempt(kind)
      for (const line of taps.flatMap((tap) => tap.read())) conflicts.push(`${made}, ${kind}: ${line}`)
      for (const line of conflicts.slice(-3)) checks.note(line)
      const now = await heightOf(others[0]!.process)
      checks.note(
        `${engine} ${made + 1}/${count}: ${kind}, blocks ${height} to ${now}, ${conflicts.length} contradictions`,
      )
    }
    await checks.step(`${engine}: both keys make blocks in the end`, async () => {
      await makes(network, engine, file.address)
      await makes(network, engine, served.address)
    })
  } finally {
    await network.close()
  }
  for (const line of taps.flatMap((tap) => tap.read())) conflicts.push(line)
  checks.equal(`${engine}: ${made} attempts, contradictions on the wire`, conflicts, [])
  checks.note(`${engine}: ${taps.map((tap) => tap.count()).join(' and ')} different words of the two keys`)
  checks.equal(`${engine}: a second process is told in the log`, file.seats.some(hasNoticed), true)
  return made
}

export const twinsSuite: Suite = {
  name: 'twins',
  doc: 'Two processes with one key, data folders and clocks that are set back, key servers that are killed: nothing contradicts on the wire (--only clique,a copied key).',
  onlyByName: true,
  async run(terms) {
    const { only, checks } = terms
    const choose = <T extends string>(all: readonly T[]) => {
      const chosen = all.filter((one) => only.includes(one))
      return chosen.length > 0 ? chosen : all
    }
    let made = 0
    for (const engine of choose<NetworkEngine>(['qbft', 'ibft2', 'clique']))
      made += await tryEngine(engine, choose(attempts), terms)
    checks.note(`${made} attempts`)
  },
}
