import { createEvm } from '../../src/evm/createEvm.ts'
import type { EvmKind } from '../../src/evm/evmModule.ts'
import { differences, type Observation } from './observation.ts'
import { observeEngine } from './observeEngine.ts'
import { observeOracle } from './observeOracle.ts'
import type { Scenario } from './scenario.ts'
import { firstDifferentStep } from './steps.ts'

/** Where something and the oracle part. */
export interface Divergence {
  /** Who thinks otherwise than the oracle. */
  readonly who: string
  readonly tx: number
  readonly differences: readonly string[]
}

/** One comparison of the product with what the oracle saw. */
export interface Check {
  readonly who: string
  run(scenario: Scenario, expected: readonly Observation[]): Omit<Divergence, 'who'> | undefined
}

function resultCheck(kind: EvmKind, flush: boolean): Check {
  const evm = createEvm(kind)
  return {
    who: flush ? `${kind} engine flushed after each transaction` : `${kind} engine`,
    run(scenario, expected) {
      const seen = observeEngine(evm, scenario, flush)
      for (const [tx, want] of expected.entries()) {
        const found = differences(want, seen[tx]!)
        if (found.length > 0) return { tx, differences: found }
      }
      return undefined
    },
  }
}

/** Results of every build of the engine; of one of them also with the host taking over in between. */
export function createResultChecks(): Check[] {
  return [resultCheck('fast', false), resultCheck('exact', false), resultCheck('fast', true)]
}

/** Program counter, gas and stack before every opcode, as the exact EVM reports them. */
export function createStepCheck(): Check {
  const evm = createEvm('exact')
  return {
    who: 'steps of the exact engine',
    run(scenario) {
      const step = firstDifferentStep(evm, scenario)
      return step && { tx: step.tx, differences: [step.text] }
    },
  }
}

/** What the checks find in a scenario; one that throws has found something too. */
export function diverging(
  scenario: Scenario,
  checks: readonly Check[],
  expected: readonly Observation[] = observeOracle(scenario),
): Divergence[] {
  return checks.flatMap(({ who, run }) => {
    try {
      const found = run(scenario, expected)
      return found ? [{ who, ...found }] : []
    } catch (error) {
      return [{ who, tx: 0, differences: [`threw ${error instanceof Error ? error.stack : error}`] }]
    }
  })
}
