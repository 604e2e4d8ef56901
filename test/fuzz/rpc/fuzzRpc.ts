import { join, relative } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { type Checks, createChecks } from '../../interop/checks.ts'
import { advance, reach } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { withCampaignFolder } from '../../support/campaignFolder.ts'
import { faultsInLog } from '../../support/logFaults.ts'
import { followMemory } from '../../support/memoryCourse.ts'
import type { Tally } from '../../support/runCampaign.ts'
import { createValidatorPlan, createValidatorProcess, type ValidatorProcess } from '../../support/validatorProcess.ts'
import { type Extent, isSample } from '../extent.ts'
import { createRandom } from '../random.ts'
import { createFindings, type Finding, methodOf, writeFindings } from './findings.ts'
import { createJudge, type Judge } from './judge.ts'
import { type Lane, openHttpLane, openWsLane } from './lanes.ts'
import { minimiseRequest } from './minimiseRequest.ts'
import { type ChainWords, populate } from './populate.ts'
import { createRequests, type Requests } from './requests.ts'
import { readSeeds, type Seeds } from './seeds.ts'
import { createWords } from './words.ts'

export interface RpcFuzzOptions extends Extent {
  /** Folder of the conformance suites; examples of the methods do where it is missing. */
  readonly data: string
}

/** Connections of each kind, with one request at a time: so many that the node always has something to do. */
const lanes = { http: 32, ws: 16, graphql: 8 } as const
type Transport = keyof typeof lanes

/** Milliseconds between lines that tell how far it is. */
const tellEvery = 30_000
/** Seconds of rest before memory is looked at for the last time. */
const rest = 120
const restOfSample = 2
/** Milliseconds for making findings small. */
const maxMinimising = 60_000
/** Characters of a request that are shown. */
const shownLength = 2000

const open: Readonly<Record<Transport, (node: ValidatorProcess) => Lane>> = {
  http: ({ ports }) => openHttpLane(`http://127.0.0.1:${ports.http}`),
  ws: ({ ports }) => openWsLane(`ws://127.0.0.1:${ports.ws}`),
  graphql: ({ ports }) => openHttpLane(`http://127.0.0.1:${ports.graphql}/graphql`),
}

/** Sends mutated requests to a real node over all that it serves; true when no law was broken. */
export async function fuzzRpc(options: RpcFuzzOptions): Promise<Tally> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const checks = createChecks(print)
  await checks.step('runs to its end', () =>
    withCampaignFolder('fuzz-rpc', async (folder) => {
      const dir = join(folder, 'net')
      const node = createValidatorProcess(dir, await createValidatorPlan(dir, 1), 0)
      await stopAll([node], () => campaign(node, options, [folder, packageRoot], checks, print))
    }),
  )
  return checks
}

async function campaign(
  node: ValidatorProcess,
  options: RpcFuzzOptions,
  secrets: readonly string[],
  checks: Checks,
  print: (line: string) => void,
): Promise<void> {
  const { seed, data } = options
  const seeds = readSeeds(data)
  const calls = [...seeds.calls.values()].reduce((sum, list) => sum + list.length, 0)
  print(`seed ${seed}: ${calls} calls of ${seeds.calls.size} methods and ${seeds.queries.length} queries to start from`)
  node.start()
  await reach([node], 1)
  const chain = await populate(node)
  const judge = createJudge(secrets)
  const memory = followMemory(node.pid())
  const { findings, sent, seconds } = await attack({ node, options, seeds, chain, judge, print })
  print(`${sent} requests in ${seconds.toFixed(0)} s, ${(sent / seconds).toFixed(0)} a second`)
  checks.equal('the process lives', node.pid() !== undefined, true)
  await checks.step('the chain goes on', () => advance([node], 2))
  checks.equal('the log tells of no defect', faultsInLog(node.logFile), [])
  await memory.check(checks, isSample(options) ? restOfSample : rest)
  for (const [reason, count] of findings.excused()) checks.note(`${count} times: ${reason}`)
  const small = await minimiseAll(node, findings.all(), judge)
  for (const { count, transport, law, detail, request } of small)
    print(`${count} × ${transport} ${law}: ${detail}\n  ${JSON.stringify(request).slice(0, shownLength)}`)
  checks.equal('no answer breaks a law', small.length, 0)
  if (small.length === 0) return
  const file = join(packageRoot, 'build/fuzz', `rpc-${seed}.json`)
  writeFindings(file, seed, small)
  print(`findings are in ${relative(packageRoot, file)}`)
}

/** The text of the next request for a lane. */
function textFor(transport: Transport, requests: Requests, id: number, kind: number): string {
  if (transport === 'graphql') return requests.query()
  if (kind < 10) return JSON.stringify(requests.batch(id))
  if (kind < 15 && transport === 'http') return requests.spoilt(id)
  return JSON.stringify(requests.call(id))
}

interface Attack {
  readonly node: ValidatorProcess
  readonly options: RpcFuzzOptions
  readonly seeds: Seeds
  readonly chain: ChainWords
  readonly judge: Judge
  print(line: string): void
}

async function attack({ node, options, seeds, chain, judge, print }: Attack) {
  const { minutes, count, seed } = options
  const findings = createFindings()
  const start = performance.now()
  const end = start + minutes * 60_000
  let sent = 0
  const goesOn = () => sent < count && performance.now() < end && node.pid() !== undefined

  async function work(transport: Transport, number: number): Promise<void> {
    const random = createRandom(seed * 1009 + number)
    const requests = createRequests(random, seeds, createWords(random, seeds, chain))
    let lane = open[transport](node)
    while (goesOn()) {
      sent++
      const text = textFor(transport, requests, sent, random.below(100))
      try {
        for (const verdict of judge(text, await lane.send(text))) findings.add(transport, verdict)
      } catch (error) {
        findings.add(transport, { law: 'an answer', detail: (error as Error).message, culprit: text })
        lane.close()
        lane = open[transport](node)
      }
    }
    lane.close()
  }

  const timer = setInterval(() => print(`${sent} requests, ${findings.all().length} findings`), tellEvery)
  const all = Object.entries(lanes).flatMap(([transport, lanes]) =>
    Array<Transport>(lanes).fill(transport as Transport),
  )
  await Promise.all(all.map(work))
  clearInterval(timer)
  return { findings, sent, seconds: (performance.now() - start) / 1000 }
}

/** Each finding with the smallest request that shows it; the node has to live for that. */
async function minimiseAll(node: ValidatorProcess, findings: readonly Finding[], judge: Judge): Promise<Finding[]> {
  if (node.pid() === undefined) return [...findings]
  const small: Finding[] = []
  const end = performance.now() + maxMinimising
  for (const finding of findings) {
    const lane = open[finding.transport as Transport](node)
    const request = await minimiseRequest(finding.request, async (json) => {
      if (performance.now() > end || methodOf(json) === '' || !finding.method.includes(methodOf(json))) return false
      const text = JSON.stringify(json)
      const verdicts = await lane.send(text).then(
        (answer) => judge(text, answer),
        () => [],
      )
      return verdicts.some(({ law, detail }) => law === finding.law && detail === finding.detail)
    })
    lane.close()
    small.push({ ...finding, request })
  }
  return small
}
