import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Checks, createChecks } from '../../interop/checks.ts'
import { heightOf, reach, sameBlocks } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { withCampaignFolder } from '../../support/campaignFolder.ts'
import { type ContractNetwork, createContractNetwork } from '../../support/contractNetwork.ts'
import { createFlexibleGroup, repeatMarker } from '../../support/flexibleClient.ts'
import { allowing } from '../../support/hostileCode.ts'
import { faultsInLog } from '../../support/logFaults.ts'
import { type Pace, toldPace, watchPace } from '../../support/pace.ts'
import type { Tally } from '../../support/runCampaign.ts'
import { type Extent, isSample } from '../extent.ts'
import { createRandom, type Random } from '../random.ts'
import { pickCode } from './hostileCodes.ts'

const kinds = ['group', 'validators', 'accounts', 'nodes'] as const
/** Seconds before the campaign in which nobody does any harm, to compare with. */
const quietSeconds = 15
/** Milliseconds that a contract decides before the next one does. */
const decidesFor = 3000
/** Periods without a block: of a campaign, if the machine does nothing else, and of a sample, which says little about time. */
const maxGap = { campaign: 2, sample: 60 }

/** Hostile and random code in every contract that the nodes themselves ask; true when blocks come as before, and all nodes have the same. */
export async function fuzzContracts(extent: Extent): Promise<Tally> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const checks = createChecks(print)
  await checks.step('runs to its end', () =>
    withCampaignFolder('fuzz-contracts', async (folder) => {
      const network = await createContractNetwork(join(folder, 'net'), isSample(extent) ? 2 : 4)
      const { nodes } = network
      await stopAll(nodes, async () => {
        for (const i of nodes.keys()) network.start(i)
        await reach(nodes, 1)
        await campaign(network, extent, checks)
      })
    }),
  )
  return checks
}

async function campaign(network: ContractNetwork, extent: Extent, checks: Checks): Promise<void> {
  const { nodes } = network
  const isShort = isSample(extent)
  let quiet: Pace | undefined
  if (!isShort) {
    const end = watchPace(nodes, 1)
    await delay(quietSeconds * 1000)
    quiet = end()
    checks.note(`before: ${toldPace(quiet)}`)
  }
  const end = watchPace(nodes, 1)
  const until = performance.now() + extent.minutes * 60_000
  let round = 0
  for (; round < extent.count && performance.now() < until; round++) {
    const random = createRandom(extent.seed + round)
    const kind = isShort ? kinds[round % kinds.length]! : random.pick(kinds)
    const { name, runtime } = pickCode(random)
    const since = watchPace(nodes, 1)
    await (kind === 'group' ? hostileGroup(network, random, runtime) : hostileContract(network, kind, random, runtime))
    if (!isShort) await delay(decidesFor)
    const seen = since()
    if (quiet && seen.gap > Math.max(maxGap.campaign, 1.5 * quiet.gap))
      checks.note(`seed ${extent.seed + round}, ${kind}, ${name}: ${toldPace(seen)}`)
  }
  const pace = end()
  checks.note(`${round} contracts: ${toldPace(pace)}`)
  const limit = isShort ? maxGap.sample : Math.max(maxGap.campaign, 1.5 * quiet!.gap)
  checks.equal(`no gap above ${limit.toFixed(1)} periods`, pace.gap <= limit, true)
  checks.equal('all processes live', nodes.map((node) => node.pid() !== undefined).includes(false), false)
  const head = await heightOf(nodes[0]!)
  await reach(nodes, head)
  await sameBlocks(checks, nodes, 1, head)
  for (const { name, logFile } of nodes) checks.equal(`the log of ${name} tells of no defect`, faultsInLog(logFile), [])
}

/** One of the contracts decides by this code, while strangers send; then by one that allows everything, or by the next one. */
async function hostileContract(
  network: ContractNetwork,
  kind: Exclude<(typeof kinds)[number], 'group'>,
  random: Random,
  runtime: Uint8Array,
): Promise<void> {
  await network.replace(kind, runtime)
  await network.transferFromStrangers(random.between(1, 40), random.below(network.nodes.length))
  if (kind === 'nodes' || random.percent(50)) await network.replace(kind, allowing)
}

/** A group is managed by this code, or runs it, and its markers are repeated. */
async function hostileGroup(network: ContractNetwork, random: Random, runtime: Uint8Array): Promise<void> {
  // Where the contract for accounts refuses strangers, no marker would be taken.
  await network.replace('accounts', allowing)
  const members = network.nodes.length > 2 ? [random.below(2), random.between(2, 3)] : [0, 1]
  const group = await createFlexibleGroup(network, members)
  const marker = random.percent(50)
    ? (await group.manageBy(runtime)).marker
    : await group.send(undefined, runtime).catch(() => undefined)
  // Its sender's own is mined by then.
  await delay(1000)
  if (marker) await repeatMarker(network.nodes.at(-1)!, marker, random.between(1, 60)).catch(() => {})
}
