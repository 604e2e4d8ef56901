import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { devAccounts } from '../../../src/forks/devGenesis.ts'
import { advance, eventually, reach } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { ownMemory, residentMemory } from '../../support/processMemory.ts'
import { createValidatorPlan, createValidatorProcess, type ValidatorProcess } from '../../support/validatorProcess.ts'
import type { Suite, SuiteTerms } from '../suite.ts'
import { type AttackName, attacks, type Tally, type Target } from './attacks.ts'
import { type BlockWatch, watchBlocks } from './watchBlocks.ts'

const validators = 4
const period = 1
/** Milliseconds of quiet that a flood is compared with, of a flood, after which it is over, and until memory is looked at again. */
const quietTime = 20_000
const floodTime = 20_000
const settleTime = 5000
const rest = { full: 120_000, fast: 10_000 }
/** What is asked for: share of the blocks of the quiet network, periods, share of the node's own memory before. */
const minBlocks = 0.9
const maxGap = 2
const maxMemory = 1.2
const senderProgram = fileURLToPath(new URL('./sender.js', import.meta.url))

interface Outcome extends Tally {
  readonly seconds: number
}

/** Starts the sender, lets it prepare, and returns what begins the flood. */
async function prepare(name: AttackName | 'warmUp', targets: readonly Target[]): Promise<() => Promise<Outcome>> {
  const child = spawn(process.execPath, [senderProgram, name, String(floodTime), JSON.stringify(targets)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.write('x')
    return JSON.parse(await text(child.stdout)) as Outcome
  }
}

/** The highest resident memory of a process until it is asked for. */
function followMemory(node: ValidatorProcess): () => number {
  let peak = 0
  const look = () => (peak = Math.max(peak, residentMemory(node.pid()) ?? 0))
  const timer = setInterval(look, 250)
  return () => {
    clearInterval(timer)
    return look()
  }
}

const memoryOf = (node: ValidatorProcess) => ({
  own: ownMemory(node.pid()) ?? 0,
  resident: residentMemory(node.pid()) ?? 0,
})

const percent = (share: number) => `${Math.round(100 * share)} %`

async function targetsOf(nodes: readonly ValidatorProcess[], all: boolean): Promise<Target[]> {
  const nonce = Number(await nodes[0]!.call<string>('eth_getTransactionCount', devAccounts[2].address, 'pending'))
  return (all ? nodes : nodes.slice(0, 1)).map(({ ports: { http, ws } }) => ({ http, ws, nonce }))
}

/** One flood at the first node, whose memory is followed; another one tells of blocks. */
async function tryFlood(
  name: AttackName,
  nodes: readonly ValidatorProcess[],
  watch: BlockWatch,
  { checks, fast }: SuiteTerms,
): Promise<void> {
  const { doc, all } = attacks[name]
  const [first] = nodes as [ValidatorProcess, ...ValidatorProcess[]]
  const begin = await prepare(name, await targetsOf(nodes, all))
  const quietFrom = performance.now()
  await delay(quietTime)
  const quiet = watch.since(quietFrom)
  const before = memoryOf(first)
  const peakOf = followMemory(first)
  const from = performance.now()
  const { sent, answered, refused, seconds } = await begin()
  // What the flood has left behind counts, too; and of fewer blocks than the quiet network had, one would be more than a tenth.
  await delay(Math.max(settleTime, floodTime - 1000 * seconds))
  const course = watch.since(from)
  const peak = peakOf()
  await delay(fast ? rest.fast : rest.full)
  const after = memoryOf(first)

  const share = course.blocks / course.seconds / (quiet.blocks / quiet.seconds)
  checks.note(
    `${doc}: ${sent} sent in ${seconds.toFixed(1)} s, ${answered} answered, ${refused} of them refused; ` +
      `quiet ${quiet.blocks} blocks in ${quiet.seconds.toFixed(0)} s, gap ${quiet.gap.toFixed(1)} s; ` +
      `then ${course.blocks} in ${course.seconds.toFixed(0)} s (${percent(share)}), gap ${course.gap.toFixed(1)} s; ` +
      `memory ${before.own} MB of its own (${before.resident} with pages of files), ${peak} at most, ${after.own} (${after.resident}) in the end`,
  )
  checks.equal(`${name}: at least ${percent(minBlocks)} of the quiet network's blocks`, share >= minBlocks, true)
  checks.equal(`${name}: no gap above ${maxGap} periods`, course.gap <= maxGap * period, true)
  if (!fast) checks.equal(`${name}: memory is within ${percent(maxMemory)}`, after.own <= maxMemory * before.own, true)
}

/** Strangers that flood one validator of four, from another process on this machine, which is as nice as can be. */
export const floods: Suite = {
  name: 'floods',
  doc: 'Floods of calls, sockets, subscriptions and transactions at one of four validators (--only sockets; --fast: memory is not awaited).',
  onlyByName: true,
  async run(terms) {
    const { folder, only, checks } = terms
    const dir = join(folder, 'network')
    const plan = await createValidatorPlan(dir, validators)
    const nodes = Array.from({ length: validators }, (_, i) => createValidatorProcess(dir, plan, i))
    await stopAll(nodes, async () => {
      for (const node of nodes) node.start()
      await reach(nodes, 5)
      for (const node of nodes)
        await eventually(
          `${node.name} has all peers`,
          async () => Number(await node.call<string>('net_peerCount')) === validators - 1,
        )
      const begin = await prepare('warmUp', await targetsOf(nodes, false))
      await begin()
      await advance(nodes, 5)
      const watch = await watchBlocks(nodes[1]!.ports.ws)
      for (const name of Object.keys(attacks) as AttackName[])
        if (only.length === 0 || only.includes(name))
          await checks.step(`${name} runs to its end`, () => tryFlood(name, nodes, watch, terms))
      watch.close()
    })
  },
}
