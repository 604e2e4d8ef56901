import { intrinsicGasOf } from '../../oracle/txGas.ts'
import { observeOracle } from '../observeOracle.ts'
import type { Random } from '../random.ts'
import { rulesIn, type Scenario } from '../scenario.ts'

/** The same scenario, with gas for the last transaction that ends exactly at one of its steps, or one before or after. */
export function tighten(random: Random, scenario: Scenario): Scenario {
  const last = scenario.txs.at(-1)!
  const lefts: bigint[] = []
  observeOracle(scenario, (tx, { depth, gas }) => {
    if (tx === scenario.txs.length - 1 && depth === 0) lefts.push(gas)
  })
  if (lefts.length === 0) return scenario
  // 2300 is where SSTORE refuses since Istanbul.
  const spare = random.weighted([
    [3, BigInt(random.between(-1, 1))],
    [1, BigInt(random.between(2299, 2301))],
  ])
  const gasLimit = last.tx.gasLimit - random.pick(lefts) + spare
  if (gasLimit < intrinsicGasOf(last.tx, rulesIn(scenario))) return scenario
  return { ...scenario, txs: [...scenario.txs.slice(0, -1), { ...last, tx: { ...last.tx, gasLimit } }] }
}
