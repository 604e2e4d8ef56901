import { setTimeout as delay } from 'node:timers/promises'
import { ibft2Protocol } from '../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { createRandom } from '../fuzz/random.ts'
import type { Checks } from '../interop/checks.ts'
import { faultsInLog } from '../support/logFaults.ts'
import { type Arena, openArena } from './arena.ts'
import { createDeeds, type Deeds } from './deeds.ts'
import { describeEvent, planEvents } from './events.ts'
import { applyLoad, type Load } from './load.ts'
import { createTapReader } from './tapReader.ts'
import { createWitness, type Witness } from './witness.ts'

export interface ChaosOptions {
  readonly folder: string
  readonly minutes: number
  readonly seed: number
  readonly validators: number
  readonly consensus: 'qbft' | 'ibft2'
  /** Ends the campaign early, in order. */
  readonly signal: AbortSignal
  readonly checks: Checks
  print(line: string): void
}

const lookEvery = 500
/** Milliseconds of faults between two times of calm. */
const stormTime = 60_000
/** Milliseconds within which all heads must be the same once all is well again. */
const convergence = 180_000
/** Blocks that all must make after a storm. */
const goesOnBy = 3

/** What a node rightly logs as an error: the disk is filled on purpose. */
const fullDisk = /no space left on the disk/

/** Runs a network of validators under faults and checks the laws that hold whatever happens. */
export async function runChaos(options: ChaosOptions): Promise<void> {
  const { seed, validators, consensus, signal, checks, print } = options
  const random = createRandom(seed)
  const arena = await openArena({ ...options, random: () => random.below(2 ** 30) / 2 ** 30 })
  const urls = arena.fighters.map(({ url }) => url)
  const witness = createWitness(urls, createRandom(seed + 1))
  const deeds = createDeeds({ arena, onStart: witness.onStart })
  const died: string[] = []
  let load: Load | undefined
  print(`seed ${seed}: ${validators} validators, ${consensus}, ${[...deeds.kinds].join(', ')}`)
  if (arena.withoutLab) print(`without partitions and slow links: ${arena.withoutLab}`)
  const timer = setInterval(() => watch(arena, deeds, witness, died), lookEvery)
  try {
    for (const { process } of arena.fighters) process.start()
    await checks.step('all start and make blocks', () => converge(witness, signal))
    load = applyLoad(urls, witness, createRandom(seed + 2))
    await storm(options, deeds, witness)
    signal.throwIfAborted()
    await load.finish(convergence)
    await checks.step('all blocks of all nodes are there', () => witness.sweep())
    clearInterval(timer)
    judge(options, witness, load, died)
    const faults = arena.fighters.flatMap(({ logFile }) => faultsInLog(logFile)).filter((line) => !fullDisk.test(line))
    checks.equal('the logs tell of no defect', faults.slice(0, 10), [])
    await checks.step('nobody signed two blocks of one height and round', async () => {
      const protocol = consensus === 'qbft' ? qbftProtocol : ibft2Protocol
      const tap = createTapReader(
        protocol,
        arena.fighters.map(({ tapFile }) => tapFile),
      )
      const contradictions = tap.read()
      checks.note(`${tap.count()} messages of validators were compared`)
      if (tap.count() === 0) throw new Error('no message was recorded')
      if (contradictions.length > 0) throw new Error(contradictions.slice(0, 5).join('; '))
    })
    tell(options, deeds, witness, load)
  } finally {
    clearInterval(timer)
    await load?.finish(0)
    await deeds.settle()
    await Promise.all(arena.fighters.map(({ process }) => process.kill()))
    await arena.close()
  }
}

/** Asks all nodes that should answer, and starts those again that ended by themselves. */
function watch({ fighters }: Arena, deeds: Deeds, witness: Witness, died: string[]): void {
  for (const [node, { process }] of fighters.entries()) {
    if (!deeds.isUp(node)) continue
    if (process.pid() === undefined) {
      died.push(process.name)
      process.start()
      witness.onStart(node)
    } else void witness.look(node)
  }
}

/** Faults for a minute, then calm until all heads are the same, again and again. */
async function storm(options: ChaosOptions, deeds: Deeds, witness: Witness): Promise<void> {
  const { minutes, seed, validators, signal, checks, print } = options
  const plan = planEvents(createRandom(seed + 3), { validators, kinds: deeds.kinds })
  const start = performance.now()
  const end = start + minutes * 60_000
  for (let calm = start + stormTime; performance.now() < end && !signal.aborted; calm = performance.now() + stormTime) {
    while (performance.now() < Math.min(calm, end) && !signal.aborted) {
      const { event, wait } = plan.next().value
      print(`${((performance.now() - start) / 1000).toFixed(1).padStart(7)} s  ${describeEvent(event)}`)
      deeds.begin(event)
      await delay(wait)
    }
    await deeds.settle()
    const since = performance.now()
    await checks.step('all heads become the same again', () => converge(witness, signal))
    print(
      `           converged in ${((performance.now() - since) / 1000).toFixed(1)} s at ${Math.max(...witness.heads())}`,
    )
  }
}

/** Waits until all nodes have some blocks more than any has now; the witness compares them. */
async function converge(witness: Witness, signal: AbortSignal): Promise<void> {
  const goal = Math.max(...witness.heads()) + goesOnBy
  const end = performance.now() + convergence
  while (Math.min(...witness.heads()) < goal) {
    signal.throwIfAborted()
    if (performance.now() > end) throw new Error(`heads are ${witness.heads().join()}, not ${goal}`)
    await delay(lookEvery)
  }
}

function judge({ checks }: ChaosOptions, witness: Witness, load: Load, died: readonly string[]): void {
  checks.equal('no block changed, was lost, or differs between nodes', witness.violations.slice(0, 10), [])
  checks.equal('no node ended by itself', died, [])
  checks.equal('every accepted transaction is mined', load.lost(), [])
  checks.equal('every refusal of a transaction is explained', [...load.unexplained], [])
}

function tell({ minutes, print }: ChaosOptions, { counts }: Deeds, witness: Witness, { counts: load }: Load): void {
  const rejoins = witness.rejoins.toSorted((a, b) => a - b)
  const seconds = (milliseconds: number | undefined) => `${((milliseconds ?? 0) / 1000).toFixed(1)} s`
  const rows: readonly (readonly [string, string | number])[] = [
    ...counts,
    ['kill -9 per minute', ((counts.get('kill -9') ?? 0) / minutes).toFixed(1)],
    ['height', Math.max(...witness.heads())],
    ['blocks compared', witness.compared()],
    ['restarts that saw a new block', rejoins.length],
    ['median from restart to a new block', seconds(rejoins[rejoins.length >> 1])],
    ['worst from restart to a new block', seconds(rejoins.at(-1))],
    ['transactions accepted', load.accepted],
    ['transactions mined', load.mined],
    ['transactions sent again', load.sentAgain],
  ]
  for (const [name, value] of rows) print(`${name.padEnd(36)}${String(value).padStart(10)}`)
}
