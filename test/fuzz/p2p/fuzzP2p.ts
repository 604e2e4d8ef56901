import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { nodeFolder } from '../../../src/cli/network/networkPlan.ts'
import { ibft2Protocol } from '../../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../../src/consensus/qbft/qbftProtocol.ts'
import { parseEnode } from '../../../src/net/enode.ts'
import { fromHex } from '../../../src/primitives/hex.ts'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { type Checks, createChecks } from '../../interop/checks.ts'
import { advance, eventually, reach } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { withCampaignFolder } from '../../support/campaignFolder.ts'
import { faultsInLog } from '../../support/logFaults.ts'
import { followMemory } from '../../support/memoryCourse.ts'
import type { Tally } from '../../support/runCampaign.ts'
import { createValidatorPlan, createValidatorProcess, type ValidatorProcess } from '../../support/validatorProcess.ts'
import { type Extent, isSample } from '../extent.ts'
import { createRandom } from '../random.ts'
import { createConsensusStrike } from './consensusStrike.ts'
import { discovery } from './discoveryStrike.ts'
import { liar, messages, status } from './ethStrikes.ts'
import { frames, handshake, hello } from './handshakeStrikes.ts'
import type { Strike } from './strike.ts'
import type { Target } from './target.ts'
import { readTemplates } from './templates.ts'
import { keepVigil } from './vigil.ts'

/** The last of them does not run: the attacker has its key. The others are enough to go on. */
const validators = 4
/** Attacks at the same time. */
const attackers = 8
const tellEvery = 30_000
/** Seconds of rest before memory is looked at for the last time. */
const rest = 120
const restOfSample = 2
/** Inputs that are told when something went wrong. */
const keptInputs = 40

/** Attacks a real validator of a running network over TCP and UDP; true when no law was broken. */
export async function fuzzP2p(extent: Extent): Promise<Tally> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const checks = createChecks(print)
  const protocol = extent.seed % 2 === 0 ? ibft2Protocol : qbftProtocol
  await checks.step('runs to its end', () =>
    withCampaignFolder('fuzz-p2p', async (folder) => {
      const dir = join(folder, 'net')
      const plan = await createValidatorPlan(dir, validators, protocol.name)
      const nodes = Array.from({ length: validators - 1 }, (_, i) => createValidatorProcess(dir, plan, i))
      const validatorKey = fromHex(readFileSync(join(nodeFolder(dir, validators - 1), 'key'), 'utf8'))
      await stopAll(nodes, async () => {
        const [first] = nodes as [ValidatorProcess, ...ValidatorProcess[]]
        await startAll(nodes)
        print(`seed ${extent.seed}: ${protocol.name}, attacking ${first.name}`)
        const messages = await readTemplates(first)
        const target = { enode: parseEnode(first.enode), protocol, validatorKey, messages }
        await campaign(nodes, target, extent, checks, print)
      })
    }),
  )
  return checks
}

/** Starts nodes and waits until each is connected with all others. */
async function startAll(nodes: readonly ValidatorProcess[]): Promise<void> {
  for (const node of nodes) node.start()
  await reach(nodes, 2)
  await eventually('all are connected', async () => {
    const counts = await Promise.all(nodes.map((node) => node.call<string>('net_peerCount')))
    return counts.every((count) => Number(count) === nodes.length - 1)
  })
}

async function campaign(
  nodes: readonly ValidatorProcess[],
  target: Target,
  extent: Extent,
  checks: Checks,
  print: (line: string) => void,
): Promise<void> {
  const [first, ...honest] = nodes as [ValidatorProcess, ...ValidatorProcess[]]
  const memory = followMemory(first.pid())
  const vigil = await keepVigil(first, honest)
  const { counts, inputs, last } = await attack(first, target, extent, print)
  print(`${inputs} inputs: ${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}`)
  checks.equal('all processes live', nodes.map((node) => node.pid() !== undefined).includes(false), false)
  await vigil.check(checks)
  await checks.step('the chain goes on', () => advance(nodes, 2))
  for (const { name, logFile } of nodes) checks.equal(`the log of ${name} tells of no defect`, faultsInLog(logFile), [])
  await memory.check(checks, isSample(extent) ? restOfSample : rest)
  if (checks.failed === 0) return
  const file = join(packageRoot, 'build/fuzz', `p2p-${extent.seed}.json`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ seed: extent.seed, last }, undefined, 2)}\n`)
  print(`the last inputs are in ${relative(packageRoot, file)}`)
}

async function attack(
  node: ValidatorProcess,
  target: Target,
  { minutes, count, seed }: Extent,
  print: (line: string) => void,
) {
  const strikes: readonly (readonly [string, Strike])[] = [
    ['handshake', handshake],
    ['hello', hello],
    ['frames', frames],
    ['status', status],
    ['messages', messages],
    ['liar', liar],
    ['consensus', createConsensusStrike()],
    ['discovery', discovery],
  ]
  const counts = new Map<string, number>()
  const last: string[] = []
  let inputs = 0
  const end = performance.now() + minutes * 60_000

  async function work(number: number): Promise<void> {
    const random = createRandom(seed * 1009 + number)
    while (inputs < count && performance.now() < end && node.pid() !== undefined) {
      const [name, strike] = random.pick(strikes)
      await strike({
        random,
        target,
        note(bytes) {
          inputs++
          counts.set(name, (counts.get(name) ?? 0) + 1)
          if (last.push(`${name} ${Buffer.from(bytes).toString('hex')}`) > keptInputs) last.shift()
          return bytes
        },
      })
    }
  }

  const timer = setInterval(() => print(`${inputs} inputs`), tellEvery)
  await Promise.all(Array.from({ length: attackers }, (_, i) => work(i)))
  clearInterval(timer)
  return { counts, inputs, last }
}
