import { opcodes as op } from '../../../src/evm/opcodes.ts'
import type { Step } from '../../oracle/machine.ts'
import { intrinsicGasOf } from '../../oracle/txGas.ts'
import { observeOracle } from '../observeOracle.ts'
import type { Random } from '../random.ts'
import { rulesIn, type Scenario } from '../scenario.ts'

/** The same scenario with gas for the last transaction that ends exactly at one of its steps, or one before or after. */
export function tighten(random: Random, scenario: Scenario): Scenario {
  const last = scenario.txs.at(-1)!
  const steps: Pick<Step, 'op' | 'gas'>[] = []
  observeOracle(scenario, (tx, step) => {
    if (tx === scenario.txs.length - 1 && step.depth === 0) steps.push({ op: step.op, gas: step.gas })
  })
  const stores = steps.filter((step) => step.op === op.SSTORE)
  // Since Istanbul SSTORE refuses to run with 2300 gas or less.
  const [places, spare] =
    stores.length > 0 && random.percent(40)
      ? [stores, BigInt(random.between(2299, 2301))]
      : [steps, BigInt(random.between(-1, 1))]
  if (places.length === 0) return scenario
  const gasLimit = last.tx.gasLimit - random.pick(places).gas + spare
  if (gasLimit < intrinsicGasOf(last.tx, rulesIn(scenario))) return scenario
  return { ...scenario, txs: [...scenario.txs.slice(0, -1), { ...last, tx: { ...last.tx, gasLimit } }] }
}
