import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ibft2Protocol } from '../../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../../src/consensus/qbft/qbftProtocol.ts'
import { parseEnode } from '../../../src/net/enode.ts'
import { type Checks, createChecks } from '../../interop/checks.ts'
import { eventually, heightOf, reach } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { withCampaignFolder } from '../../support/campaignFolder.ts'
import { faultsInLog } from '../../support/logFaults.ts'
import type { Tally } from '../../support/runCampaign.ts'
import { createValidatorPlan, createValidatorProcess, type ValidatorProcess } from '../../support/validatorProcess.ts'
import type { Extent } from '../extent.ts'
import { readTemplates } from '../p2p/templates.ts'
import { type Count, claimOn, claims } from './claimants.ts'

const validators = 4
/** Share of the time in which nobody lies, to compare with. */
const quietShare = 0.2
/** By how much the time from block to block may be longer with liars, on a machine that has them to run as well. */
const tolerance = 1.05
const engines = [
  { name: 'qbft', protocol: qbftProtocol },
  { name: 'ibft2', protocol: ibft2Protocol },
  { name: 'clique', protocol: undefined },
] as const

/** Strangers claim blocks that do not exist to all validators of a network; true when it makes blocks as before. */
export async function fuzzClaims({ minutes, seed }: Extent): Promise<Tally> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const checks = createChecks(print)
  const { name, protocol } = engines[seed % engines.length]!
  await checks.step('runs to its end', () =>
    withCampaignFolder('fuzz-claims', async (folder) => {
      const dir = join(folder, 'net')
      const plan = await createValidatorPlan(dir, validators, name)
      const nodes = Array.from({ length: validators }, (_, i) => createValidatorProcess(dir, plan, i))
      await stopAll(nodes, async () => {
        for (const node of nodes) node.start()
        await reach(nodes, 3)
        print(`${name}: ${validators} validators, ${minutes} minutes of claims in ${claims.length} ways`)
        await campaign(nodes, protocol, minutes * 60_000, checks, print)
      })
    }),
  )
  return checks
}

async function campaign(
  nodes: readonly ValidatorProcess[],
  protocol: (typeof engines)[number]['protocol'],
  time: number,
  checks: Checks,
  print: (line: string) => void,
): Promise<void> {
  const [first] = nodes as [ValidatorProcess, ...ValidatorProcess[]]
  const quiet = await intervals(first, () => delay(time * quietShare))
  print(`before: ${told(quiet)}`)

  const messages = await readTemplates(first)
  const count: Count = { sessions: 0, claims: 0, answers: 0 }
  let height = BigInt(await heightOf(first))
  let isOver = false
  const watch = setInterval(async () => {
    height = BigInt(await heightOf(first).catch(() => height))
  }, 1000)
  const liars = nodes.flatMap(({ enode }) => {
    const listener = { enode: parseEnode(enode), protocol, messages, height: () => height }
    return claims.map((claim) => claimOn(claim, listener, count, () => isOver))
  })
  const loud = await intervals(first, () => delay(time))
  isOver = true
  clearInterval(watch)
  await Promise.all(liars)

  print(`with liars: ${told(loud)}; ${count.sessions} sessions, ${count.claims} claims, ${count.answers} late answers`)
  checks.equal('the time from block to block stays', mean(loud) <= mean(quiet) * tolerance, true)
  checks.equal('all processes live', nodes.map((node) => node.pid() !== undefined).includes(false), false)
  await eventually('all validators are connected', async () => {
    const counts = await Promise.all(nodes.map((node) => node.call<string>('net_peerCount')))
    return counts.every((peers) => Number(peers) >= nodes.length - 1)
  })
  for (const { name, logFile } of nodes) checks.equal(`the log of ${name} tells of no defect`, faultsInLog(logFile), [])
}

/** Seconds from block to block, by the blocks' own time stamps, of the blocks that were made meanwhile. */
async function intervals(node: ValidatorProcess, meanwhile: () => Promise<void>): Promise<number[]> {
  const from = await heightOf(node)
  await meanwhile()
  const to = await heightOf(node)
  const times: number[] = []
  for (let number = from; number <= to; number++) {
    const block = await node.call<{ timestamp: string }>('eth_getBlockByNumber', `0x${number.toString(16)}`, false)
    times.push(Number(block.timestamp))
  }
  return times.slice(1).map((time, i) => time - times[i]!)
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const told = (values: readonly number[]): string =>
  `${values.length} blocks, ${mean(values).toFixed(3)} s from block to block, ${Math.max(...values)} s at most`
