import { createEngine } from '../../src/evm/engine.ts'
import { rulesOf } from '../../src/forks/rules.ts'
import { opcodesOf } from '../oracle/opcodes.ts'
import { observeEngine } from './observeEngine.ts'
import { observeOracle } from './observeOracle.ts'
import type { Scenario } from './scenario.ts'

/** Steps that are compared at most: more would not fit into memory. */
const mostSteps = 300_000

/** The first step of a transaction that the oracle and the tracing engine see differently, in words. */
export function firstDifference(scenario: Scenario, tx: number): string {
  const expected = oracleSteps(scenario, tx)
  const seen = engineSteps(scenario, tx)
  const at = expected.findIndex((step, i) => step !== seen[i])
  if (at < 0 && expected.length === seen.length) return `all ${expected.length} steps are alike`
  const index = at < 0 ? expected.length : at
  const before = index > 0 ? `\n  before: ${expected[index - 1]}` : ''
  return `step ${index}${before}\n  oracle: ${expected[index] ?? 'has ended'}\n  engine: ${seen[index] ?? 'has ended'}`
}

function oracleSteps(scenario: Scenario, tx: number): string[] {
  const steps: string[] = []
  observeOracle(scenario, (index, { depth, pc, op, gas, stack }) => {
    if (index === tx && steps.length < mostSteps) steps.push(stepText(scenario, depth + 1, pc, op, gas, stack))
  })
  return steps
}

function engineSteps(scenario: Scenario, tx: number): string[] {
  const steps: string[] = []
  let running = 0
  const engine = createEngine('trace', {
    onStep(step) {
      if (running !== tx || steps.length >= mostSteps) return
      steps.push(stepText(scenario, step.depth, step.pc, step.op, step.gas, step.stack()))
    },
  })
  const onTx = (index: number) => {
    running = index
  }
  try {
    observeEngine(engine, scenario, false, onTx)
  } catch (error) {
    steps.push(`threw ${error}`)
  }
  return steps
}

function stepText(
  { fork }: Scenario,
  depth: number,
  pc: number,
  op: number,
  gas: bigint,
  stack: readonly bigint[],
): string {
  const name = opcodesOf(rulesOf(fork))[op]?.name ?? `0x${op.toString(16)}`
  const top = stack.slice(-7).map((word) => word.toString(16))
  return `depth ${depth} pc ${pc} ${name} gas ${gas} stack(${stack.length}) ${top.join(' ')}`
}
