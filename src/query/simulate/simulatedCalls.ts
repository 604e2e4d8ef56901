import type { Tracer } from '../../evm/tracer.ts'
import type { RunInBlock } from '../../execution/applyBlock.ts'
import { countDown } from '../../execution/applyTx.ts'
import { checkBaseFee, checkFunds, checkGas, checkInitCode, checkNonce } from '../../execution/checkTx.ts'
import { runTx, type TxOutcome, upfrontCost } from '../../execution/runTx.ts'
import type { CallFailure } from '../../execution/tracing/callTracer.ts'
import { type Address, zeroAddress } from '../../primitives/bytes.ts'
import type { Log } from '../../types/log.ts'
import { maxGasPriceOf } from '../../types/transaction.ts'
import { createTransferLogs } from './transferLogs.ts'

/** How a simulated call ended. */
export interface SimulatedCall extends TxOutcome {
  /** Undefined when it succeeded. */
  readonly failure: CallFailure | undefined
  /** The most gas that was used at any time: refunds come at the end. */
  readonly maxUsedGas: bigint
  /** What is shown: with movements of ether where they are asked for. */
  readonly shownLogs: readonly Log[]
}

/**
 * Runs calls as transactions of a simulated block, with the checks of geth. Without `validation` nonces do not count, and
 * a call that names no price pays none. The addresses of `warm` are warm from the start.
 */
export function createCallRunner(validation: boolean, warm: readonly Address[]): RunInBlock {
  return (evm, tx, from, { block, rules, pool }) => {
    const sender = from ?? zeroAddress
    const pays = validation || maxGasPriceOf(tx) > 0n ? 'all' : 'value'
    if (validation) checkNonce(evm, tx, sender)
    if (pays === 'all') checkBaseFee(tx, block)
    checkFunds(evm, sender, upfrontCost(tx))
    checkGas(tx, rules)
    checkInitCode(tx, rules)
    const outcome = runTx(evm, tx, sender, { block, rules, pays, warm })
    countDown(pool, tx, outcome)
    return outcome
  }
}

/** Watches a call for why it fails and, where that is asked for, for movements of ether. */
export function watchCall(traceTransfers: boolean): { tracer: Tracer; finish(outcome: TxOutcome): SimulatedCall } {
  const transfers = traceTransfers ? createTransferLogs() : undefined
  let failedStep: CallFailure | undefined
  return {
    tracer: {
      watches: [],
      ...transfers?.tracer,
      onStepEnd({ error, op, stackHeight, depth }) {
        if (error && depth === 1) failedStep = { halt: error, op, stackHeight }
      },
    },
    finish(outcome) {
      const { status, halt, gasUsed, gasSpent, logs } = outcome
      return {
        ...outcome,
        failure: status === 1 ? undefined : (failedStep ?? { halt, op: 0, stackHeight: 0 }),
        maxUsedGas: gasSpent > gasUsed ? gasSpent : gasUsed,
        shownLogs: transfers?.logs() ?? logs,
      }
    },
  }
}
