import type { Evm } from '../evm/evm.ts'
import { opcodes } from '../evm/opcodes.ts'
import type { Tracer } from '../evm/tracer.ts'
import { type Rules, since } from '../forks/rules.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Tx } from '../types/transaction.ts'
import { floorGas } from './intrinsicGas.ts'
import type { TxOptions, TxOutcome } from './runTx.ts'
import { simulate } from './simulate.ts'

const { SLOAD, SSTORE } = opcodes
/** Gas that must be left for an SSTORE to be allowed (EIP-2200). */
const sstoreSentry = 2300n

/** A trial with what estimates are made from. */
export interface MeasuredTrial {
  readonly trial: TxOutcome
  /** Gas that is sure to be enough. */
  readonly enough: bigint
}

/**
 * Runs with all the gas that `tx` has and returns how much would do. A call may pass on all but one 64th of its gas, so that
 * each level needs that much more; and SSTORE wants more gas left than it takes. Needs a tracing interpreter. `also` is told
 * of SLOAD and SSTORE only: a callback for each opcode would take a hundred times as long.
 */
export function measure(evm: Evm, tx: Tx, sender: Address, options: TxOptions, also: Tracer = {}): MeasuredTrial {
  let depth = 1
  let stores = false
  evm.setTracer({
    ...also,
    watches: [SLOAD, SSTORE],
    onEnter(frame) {
      if (frame.runs === 'code' && frame.depth > depth) depth = frame.depth
      also.onEnter?.(frame)
    },
    onStep(step) {
      if (step.op === SSTORE) stores = true
      also.onStep?.(step)
    },
  })
  let trial: TxOutcome
  try {
    trial = simulate(evm, tx, sender, options)
  } finally {
    evm.setTracer(undefined)
  }
  const sentry = stores && since(options.rules, 'istanbul') ? sstoreSentry : 0n
  const min = minGas(tx, trial, options.rules)
  return { trial, enough: BigInt(Math.floor(Number(min + sentry) * (65 / 64) ** (depth - 1))) }
}

function minGas(tx: Tx, { gasSpent }: TxOutcome, rules: Rules): bigint {
  const floor = floorGas(tx, rules)
  return gasSpent > floor ? gasSpent : floor
}

/** The outcome of trying with all gas, and the gas that a transaction needs where that succeeded. */
export interface Estimate {
  readonly trial: TxOutcome
  /** A gas limit with which the transaction was seen to succeed. */
  readonly gas: bigint
  /** Gas that all trials used. */
  readonly gasRun: bigint
}

/** Gas that a call with value gives to its callee, and gets back if that does not use it. */
const callStipend = 2300n
/** Share by which an estimate may be above a limit that fails, where finding the exact one costs too much. */
const usualTolerance = 0.015

/**
 * Searches for the least gas limit that works, from the gas that the trial spent up to all the gas that `tx` has. Less than
 * was spent is not tried: with it a transaction can succeed only by doing something else, such as ignoring that an inner
 * call ran out of gas. The search is exact until its runs have cost as much as one with all the gas; then it ends as soon
 * as the estimate is within the tolerance.
 */
export function estimateGas(
  evm: Evm,
  given: Tx,
  sender: Address,
  options: TxOptions,
  tolerance = usualTolerance,
): Estimate {
  const tx = withinCap(given, options.rules)
  const { trial, enough } = measure(evm, tx, sender, options)
  let gasRun = trial.gasUsed
  if (trial.status === 0) return { trial, gas: 0n, gasRun }
  const works = (gasLimit: bigint): boolean => {
    const { status, gasUsed } = simulate(evm, { ...tx, gasLimit }, sender, options)
    gasRun += gasUsed
    return status === 1
  }
  const isNear = (above: bigint, failing: bigint) => Number(above - failing) <= Number(failing) * tolerance
  let low = minGas(tx, trial, options.rules)
  if (works(low)) return { trial, gas: low, gasRun }
  const stipendBack = ((low + callStipend) * 64n) / 63n
  let high = enough > stipendBack ? enough : stipendBack
  while (high < tx.gasLimit && !works(high)) {
    low = high
    high *= 2n
  }
  // The trial worked with all the gas.
  if (high > tx.gasLimit) high = tx.gasLimit
  while (low + 1n < high && (gasRun < tx.gasLimit || !isNear(high, low))) {
    const middle = (low + high) / 2n
    if (works(middle)) high = middle
    else low = middle
  }
  return { trial, gas: high, gasRun }
}

/** The same transaction with no more gas than one may have (EIP-7825). */
function withinCap(tx: Tx, { txGasCap }: Rules): Tx {
  return txGasCap !== undefined && tx.gasLimit > txGasCap ? { ...tx, gasLimit: txGasCap } : tx
}
