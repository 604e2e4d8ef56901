import type { Evm } from '../../src/evm/evm.ts'
import { opcodesOf } from '../oracle/opcodes.ts'
import { observeEngine } from './observeEngine.ts'
import { observeOracle } from './observeOracle.ts'
import { rulesIn, type Scenario } from './scenario.ts'

/** Steps that are compared at most: more would take too long and too much memory. */
const maxSteps = 50_000

interface StepText {
  readonly tx: number
  readonly text: string
}

/** The first step that the oracle and a tracing engine see differently, in words; undefined when there is none. */
export function firstDifferentStep(evm: Evm, scenario: Scenario): StepText | undefined {
  const expected = oracleSteps(scenario)
  const seen = engineSteps(evm, scenario)
  const length = Math.max(expected.length, seen.length)
  let at = 0
  while (at < length && expected[at]?.text === seen[at]?.text) at++
  if (at === length) return undefined
  const say = (step: StepText | undefined) => (step ? `transaction ${step.tx} ${step.text}` : 'nothing')
  const lines = [`step ${at}`, `before: ${say(expected[at - 1])}`, `oracle: ${say(expected[at])}`]
  return { tx: (expected[at] ?? seen[at])!.tx, text: [...lines, `engine: ${say(seen[at])}`].join('\n      ') }
}

function oracleSteps(scenario: Scenario): StepText[] {
  const steps: StepText[] = []
  observeOracle(scenario, (tx, { depth, pc, op, gas, stack }) => {
    if (steps.length >= maxSteps || isEmptyFrame(pc, op)) return
    steps.push({ tx, text: stepText(scenario, depth + 1, pc, op, gas, stack) })
  })
  return steps
}

function engineSteps(evm: Evm, scenario: Scenario): StepText[] {
  const steps: StepText[] = []
  let tx = 0
  evm.setTracer({
    onStep(step) {
      if (steps.length >= maxSteps || isEmptyFrame(step.pc, step.op)) return
      steps.push({ tx, text: stepText(scenario, step.depth, step.pc, step.op, step.gas, step.stack()) })
    },
  })
  observeEngine(evm, scenario, false, (index) => {
    tx = index
  })
  return steps
}

/** A STOP at the very start, which tracers may or may not tell of where there is no code. */
function isEmptyFrame(pc: number, op: number): boolean {
  return pc === 0 && op === 0
}

function stepText(
  scenario: Scenario,
  depth: number,
  pc: number,
  op: number,
  gas: bigint,
  stack: readonly bigint[],
): string {
  const name = opcodesOf(rulesIn(scenario))[op]?.name ?? `0x${op.toString(16)}`
  const top = stack.slice(-7).map((word) => word.toString(16))
  return `depth ${depth} pc ${pc} ${name} gas ${gas} stack(${stack.length}) ${top.join(' ')}`
}
