import type { Step } from '../oracle/machine.ts'
import { runOracle } from '../oracle/runOracle.ts'
import type { Observation } from './observation.ts'
import { oracleBlockOf, rulesIn, type Scenario } from './scenario.ts'

/** Runs the scenario on the oracle, each transaction on the state that the one before it left. */
export function observeOracle(scenario: Scenario, onStep?: (tx: number, step: Step) => void): Observation[] {
  const block = oracleBlockOf(scenario)
  const rules = rulesIn(scenario)
  let pre = scenario.pre
  return scenario.txs.map(({ tx, sender }, index) => {
    const steps = onStep && { onStep: (step: Step) => onStep(index, step) }
    const result = runOracle({ pre, block, tx, sender, rules, ...steps })
    pre = result.post
    return result
  })
}
