import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEvm } from '../../src/evm/createEvm.ts'
import { readState } from '../../src/evmtool/memoryState.ts'
import { type JsonPost, runStateTest, type StateTest } from '../../src/evmtool/stateTest.ts'
import { createByteLog } from '../../src/execution/tracing/byteLog.ts'
import { createStepLog } from '../../src/execution/tracing/stepLog.ts'
import { rulesOf } from '../../src/forks/rules.ts'
import { structLogText } from '../../src/rpc/tracing/structLogText.ts'
import { openData } from '../conformance/data.ts'
import { generateScenario } from '../fuzz/generate/scenario.ts'
import { stateTestOf } from '../fuzz/geth/stateTest.ts'
import { observeEngine } from '../fuzz/observeEngine.ts'
import type { InteropTerms } from './interop.ts'
import { compareSteps, type GethStep, type QuoinStep } from './structLogs.ts'

/** Release of geth whose `evm` tool knows these forks. */
const version = 'v1.17.10'
const forks = ['prague', 'osaka'] as const
type Fork = (typeof forks)[number]

const shown = { stack: true, memory: true, storage: true }
const evm = createEvm('exact')
/** Every so many tests of the bundle are taken, of those whose traces stay short. */
const every = 40
const maxGas = 2_000_000n
/** Where geth puts a contract onto storage that nobody owns, which no chain has. */
const disputed = /InitCollision|create2collisionStorage|RevertInCreateInInit|dynamicAccountOverwriteEmpty/
const scenarioSeeds = Array.from({ length: 40 }, (_, i) => i + 1)

interface TracedTest {
  readonly name: string
  /** As geth reads it. */
  readonly json: object
  /** Runs it on the engine, whose tracer is set. */
  run(): void
}

const nameOf = (fork: Fork) => fork.charAt(0).toUpperCase() + fork.slice(1)

/** Tests of Cancun, run under the rules of a later fork: what they expect of it does not matter. */
async function* upstreamTests(folder: string, fork: Fork): AsyncGenerator<TracedTest> {
  const data = openData(folder, { index: 0, count: 1, every })
  for await (const { name, test } of data.entries({ bundles: /^state-legacy-cancun$/, folders: [] })) {
    const { post, ...rest } = test as StateTest
    const chosen = post['Cancun']?.find(({ expectException, indexes }: JsonPost) => {
      return expectException === undefined && BigInt(rest.transaction.gasLimit[indexes.gas]!) <= maxGas
    })
    if (!chosen || disputed.test(name)) continue
    const later = { ...rest, post: { [nameOf(fork)]: [chosen] } }
    yield { name, json: later, run: () => runStateTest(later, readState(rest.pre), nameOf(fork), chosen, evm) }
  }
}

/** Generated worlds, for transactions and opcodes that Cancun does not have. */
function* generatedTests(fork: Fork): Generator<TracedTest> {
  for (const seed of scenarioSeeds) {
    const scenario = generateScenario(seed, fork)
    // Geth knows no other limits than those of the fork.
    if (Object.keys(scenario.limits).length > 0) continue
    const single = { ...scenario, txs: scenario.txs.slice(0, 1) }
    evm.setTracer(undefined)
    const [seen] = observeEngine(evm, single, false)
    if (seen!.status === 'invalid') continue
    const json = stateTestOf(single, single.pre, single.txs[0]!, seen!)
    yield { name: `generated ${seed}`, json, run: () => void observeEngine(evm, single, false) }
  }
}

function ourSteps(test: TracedTest, fork: Fork): QuoinStep[] {
  const rules = rulesOf(fork)
  const log = createByteLog(() => {
    throw new Error('the trace is too long to be kept in memory')
  })
  evm.setTracer(createStepLog(rules, log, shown))
  try {
    test.run()
  } catch {
    // The state is not that of Cancun; the steps were seen.
  } finally {
    evm.setTracer(undefined)
  }
  return JSON.parse([...structLogText(log, rules, shown)].join('')) as QuoinStep[]
}

interface Line {
  readonly pc: number
  readonly opName: string
  readonly gas: string
  readonly gasCost: string
  readonly depth: number
  readonly stack: readonly string[]
  readonly memory?: string
  readonly error?: string
}

function gethSteps(script: string, file: string): GethStep[] {
  const { stderr, status, error } = spawnSync(script, ['statetest', '--trace', '--trace.nomemory=false', file], {
    encoding: 'utf8',
    env: { ...process.env, GETH_TOOL: 'evm', GETH_PEER_VERSION: version },
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`geth's evm tool fails: ${error?.message ?? stderr.slice(-300)}`)
  const steps: GethStep[] = []
  for (const text of stderr.split('\n').filter((line) => line.startsWith('{"pc"'))) {
    const { pc, opName, gas, gasCost, depth, stack, memory, error: fault } = JSON.parse(text) as Line
    const step = { pc, op: opName, gas: Number(gas), gasCost: Number(gasCost), depth, stack }
    const last = steps.at(-1)
    // A step that fails while it runs is told of once more, with the fault and what it left.
    if (fault && last && last.pc === pc && last.depth === depth && last.gas === step.gas)
      steps[steps.length - 1] = { ...last, error: fault }
    else steps.push({ ...step, ...(memory ? { memory: [memory] } : {}), ...(fault ? { error: fault } : {}) })
  }
  return steps
}

/** Compares struct logs under the rules of Prague and Osaka with the `evm` tool of a geth that knows them. */
export async function compareWithEvmTool({ checks, folder, peersDir }: InteropTerms, data: string): Promise<void> {
  const script = join(peersDir, 'geth/geth')
  const options = { encoding: 'utf8', env: { ...process.env, GETH_TOOL: 'evm', GETH_PEER_VERSION: version } } as const
  const { status, stderr, error } = spawnSync(script, ['--version'], options)
  if (status !== 0) {
    checks.note(
      `without Prague and Osaka: geth's evm ${version} cannot be had (${error?.message ?? stderr.slice(-200)})`,
    )
    return
  }
  const tests = join(data, 'ethereum-tests')
  for (const fork of forks) {
    async function compare(test: TracedTest): Promise<void> {
      await checks.step(`evm: ${fork} ${test.name}`, async () => {
        const file = join(folder, 'test.json')
        writeFileSync(file, JSON.stringify({ [test.name]: test.json }))
        const found = compareSteps(ourSteps(test, fork), gethSteps(script, file))
        if (found !== undefined) throw new Error(found)
      })
    }
    if (existsSync(tests)) for await (const test of upstreamTests(tests, fork)) await compare(test)
    for (const test of generatedTests(fork)) await compare(test)
  }
}
