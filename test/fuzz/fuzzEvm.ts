import { setImmediate } from 'node:timers/promises'
import type { ForkName } from '../../src/forks/table.ts'
import type { Tally } from '../support/runCampaign.ts'
import { type Check, createResultChecks, createStepCheck, type Divergence, diverging } from './checks.ts'
import { generateScenario, inOtherFork } from './generate/scenario.ts'
import { sweepGas, sweepJumps } from './generate/sweep.ts'
import { startGeth } from './geth/gethPeer.ts'
import { createGethQueue, type GethQueue, type Objection } from './geth/gethQueue.ts'
import { minimise } from './minimise.ts'
import { observeOracle } from './observeOracle.ts'
import { report } from './report.ts'
import type { Scenario } from './scenario.ts'

export interface FuzzOptions {
  readonly minutes: number
  /** Stops earlier after so many scenarios. */
  readonly count: number
  readonly seed: number
  readonly fork: ForkName | undefined
  /** Folder of the peers; undefined leaves geth out. */
  readonly peers: string | undefined
}

/** Divergences after which it is pointless to go on. */
const maxFindings = 10
/** Steps take longer to compare than results. */
const stepsEvery = 10
/** Seeds whose scenario runs in a second fork too. */
const otherForkEvery = 8
/** Seeds with jumps to every position of a program, and with gas that ends at every instruction: some hundred transactions each. */
const sweepsEvery = 20

/** Compares oracle, engines and geth on random scenarios; true when all agree on all. */
export async function fuzzEvm(options: FuzzOptions): Promise<Tally> {
  const results = createResultChecks()
  const all = [...results, createStepCheck()]
  const peer = options.peers === undefined ? undefined : await startGeth(options.peers)
  if (options.peers !== undefined && !peer) write(`No geth in ${options.peers}: going on without it.`)
  if (peer) write("Comparing with geth's evm tool too, which is compiled on first use (some minutes).")
  const queue = peer && createGethQueue(peer)
  const tally = { scenarios: 0, programs: 0, transactions: 0 }
  const failed = new Set<number>()
  const end = performance.now() + options.minutes * 60_000

  const handleObjections = async () => {
    for (const objection of queue?.takeObjections() ?? []) {
      if (failed.has(objection.seed) || failed.size >= maxFindings) continue
      failed.add(objection.seed)
      await reportObjection(objection, queue!)
    }
  }
  const run = async (seed: number, scenario: Scenario, isForGeth = true) => {
    const expected = observeOracle(scenario)
    tally.scenarios++
    tally.programs += [...scenario.pre.values()].filter(({ code }) => code.length > 0).length
    tally.transactions += scenario.txs.length
    const found = diverging(scenario, seed % stepsEvery === 0 ? all : results, expected)
    if (found.length > 0) {
      failed.add(seed)
      await reportDivergence(seed, scenario, all, found)
    }
    // To geth each transaction is a test of its own.
    if (isForGeth) await queue?.add(seed, scenario, expected)
  }
  for (let n = 0; n < options.count && performance.now() < end && failed.size < maxFindings; n++) {
    const seed = options.seed + n
    const scenario = generateScenario(seed, options.fork)
    await run(seed, scenario)
    if (seed % otherForkEvery === 0 && !options.fork) await run(seed, inOtherFork(seed, scenario))
    if (seed % sweepsEvery === 0)
      for (const sweep of [sweepJumps(seed, options.fork), sweepGas(seed, options.fork)])
        if (sweep) await run(seed, sweep, false)
    await handleObjections()
    if (n % 50 > 0) continue
    showProgress(tally.scenarios, end)
    // Lets geth's answers in.
    await setImmediate()
  }
  await queue?.finish()
  await handleObjections()
  await peer?.close()
  const judged = queue ? `, ${queue.judged()} of the transactions also on geth` : ''
  write(
    `${tally.scenarios} scenarios from seed ${options.seed} on with ${tally.programs} programs and ${tally.transactions} transactions${judged}`,
  )
  return { passed: tally.scenarios - failed.size, failed: failed.size }
}

async function reportDivergence(
  seed: number,
  scenario: Scenario,
  all: readonly Check[],
  found: readonly Divergence[],
): Promise<void> {
  const again = new Set(diverging(scenario, all).map(({ who }) => who))
  const first = all.find(({ who }) => again.has(who))
  if (!first) {
    write(`Seed ${seed}: gone when run again, so that it depends on what the engine ran before:`)
    report(seed, scenario, found)
    return
  }
  const small = await minimise(scenario, (smaller) => diverging(smaller, [first]).length > 0)
  report(seed, small, diverging(small, all))
}

async function reportObjection({ seed, scenario, tx, error }: Objection, queue: GethQueue): Promise<void> {
  const small = await minimise(scenario, async (smaller) => (await queue.judgeOne(smaller)).length > 0)
  const [objection] = await queue.judgeOne(small)
  const differences = [objection?.error ?? error]
  report(seed, small, [{ who: 'geth', tx: objection?.tx ?? tx, differences }])
}

/** One line that is written over, on a terminal only. */
function showProgress(scenarios: number, end: number): void {
  const seconds = Math.ceil((end - performance.now()) / 1000)
  if (process.stderr.isTTY) process.stderr.write(`\r${scenarios} scenarios, ${seconds} s to go \r`)
}

function write(line: string): void {
  process.stdout.write(line + '\n')
}
