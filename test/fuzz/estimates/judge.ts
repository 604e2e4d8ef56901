import type { Evm } from '../../../src/evm/evm.ts'
import { estimateGas } from '../../../src/execution/estimateGas.ts'
import { runOracle } from '../../oracle/runOracle.ts'
import { floorGasOf } from '../../oracle/txGas.ts'
import { addressBytes } from '../../oracle/words.ts'
import { hostOver } from '../observeEngine.ts'
import { blockEnvOf, oracleBlockOf, rulesIn, type Scenario } from '../scenario.ts'

/** What the oracle says of an estimate. */
export interface Verdict {
  readonly estimate: bigint
  /** The least limit that was seen to work, from what the run with all gas spends on. */
  readonly least: bigint
  /** Whether a limit above the least fails, as contracts that look at their gas can bring about. */
  readonly gaps: boolean
  readonly problem: string | undefined
}

/** Limits at each end of the range that are all tried. */
const dense = 40n
/** Thousandths by which an estimate may be above the least. */
const tolerance = 15n

/**
 * Judges the estimate of a scenario's transaction; undefined if the transaction fails with all gas. The laws:
 *
 * 1. The transaction succeeds with the estimate as its limit.
 * 2. Let the run with all gas spend S (before refunds, at least the floor). No limit from S on that is more than 1.5 % below
 *    the estimate works. Limits below S do not count: with them a transaction can succeed only by doing something else.
 * 3. Where a contract looks at its gas, limits that work may be followed by some that fail. Then the limits right below the
 *    estimate count: one that fails, or S, is at most 1.5 % below it.
 *
 * Limits are tried on the oracle, at `points` places between S and the estimate and all of them near both ends.
 */
export function judgeEstimate(evm: Evm, scenario: Scenario, points: number): Verdict | undefined {
  const { tx, sender } = scenario.txs[0]!
  const rules = rulesIn(scenario)
  const block = oracleBlockOf(scenario)
  const run = (gasLimit: bigint) => runOracle({ pre: scenario.pre, block, tx: { ...tx, gasLimit }, sender, rules })
  const works = (gasLimit: bigint) => run(gasLimit).status === 'success'

  const cap = rules.txGasCap !== undefined && rules.txGasCap < tx.gasLimit ? rules.txGasCap : tx.gasLimit
  const all = run(cap)
  const { trial, gas } = estimateOf(evm, scenario)
  if (all.status !== 'success') {
    if (trial.status === 0) return undefined
    return { estimate: gas, least: gas, gaps: false, problem: 'an estimate for what fails with all gas' }
  }
  const floor = floorGasOf(tx, rules)
  const spent = all.gasSpent > floor ? all.gasSpent : floor
  const tried = limitsBetween(spent, gas, points).map((limit) => ({ limit, works: works(limit) }))
  const least = tried.find((one) => one.works)?.limit ?? gas
  const gaps = tried.some((one) => one.limit > least && !one.works)
  const near = (limit: bigint) => gas * 1000n <= limit * (1000n + tolerance)
  const lastFailing = tried.findLast((one) => !one.works)?.limit ?? spent
  const problem = () => {
    if (trial.status === 0) return 'no estimate for what works with all gas'
    if (!works(gas)) return 'the estimate fails'
    if (gas < spent) return `below the ${spent} that the run with all gas spends`
    // The least is the limit after one that fails.
    if (!near(gaps ? lastFailing + 1n : least)) return `${gaps ? lastFailing + 1n : least} works as well`
    return undefined
  }
  return { estimate: gas, least, gaps, problem: problem() }
}

function estimateOf(evm: Evm, scenario: Scenario) {
  const { tx, sender } = scenario.txs[0]!
  const rules = rulesIn(scenario)
  const block = blockEnvOf(scenario)
  evm.reset(hostOver(() => scenario.pre))
  evm.setBlock(block, rules)
  return estimateGas(evm, tx, addressBytes(sender), { block, rules, pays: 'value' })
}

/** Limits from `start` to below `end`, in order. */
function limitsBetween(start: bigint, end: bigint, points: number): bigint[] {
  const limits = new Set<bigint>()
  for (let i = 0n; i < dense; i++) {
    limits.add(start + i)
    limits.add(end - 1n - i)
  }
  for (let i = 0; i < points; i++) limits.add(start + ((end - start) * BigInt(i)) / BigInt(points))
  return [...limits].filter((limit) => limit >= start && limit < end).sort((a, b) => (a < b ? -1 : 1))
}
