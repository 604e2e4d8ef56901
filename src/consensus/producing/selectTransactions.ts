import type { BlockRun } from '../../execution/applyBlock.ts'
import { TxError, type TxFault } from '../../execution/fault.ts'
import type { BestTransactions } from '../../pool/bestTransactions.ts'
import type { PoolEntry } from '../../pool/entry.ts'
import type { PoolFault } from '../../pool/fault.ts'
import type { Steps } from '../../primitives/steps.ts'
import { effectiveGasPriceOf, priorityFeeOf, type Tx } from '../../types/transaction.ts'

/** Rules for selecting transactions. */
export interface SelectionSettings {
  readonly baseFee: bigint
  readonly gasLimit: bigint
  readonly minGasPrice: bigint
  readonly minPriorityFee: bigint
  /** Share of the gas limit above which the first transaction that does not fit ends the block. */
  readonly minOccupancy: number
  /** Whether a block of this gas takes no more, so that the validators keep their period. */
  readonly isEnough: (gasUsed: bigint) => boolean
  /** Why permissioning refuses a transaction that it allowed into the pool. */
  readonly findRefusal: (entry: PoolEntry) => PoolFault | undefined
  /** Called with each invalid transaction. */
  readonly drop: (entry: PoolEntry, fault: TxFault | PoolFault) => void
}

const minTxSize = 21_000n

/** Faults that may not occur in a later block. */
const temporary = new Set<TxFault['code']>([
  'NONCE_TOO_HIGH',
  'MAX_FEE_BELOW_BASE_FEE',
  'MAX_BLOB_FEE_TOO_LOW',
  'BLOB_GAS_EXCEEDS_BLOCK',
])

/**
 * Executes the best transactions until the block is full, time is over or none is left; returns those included. The pool
 * may change between steps.
 */
export function* selectTransactions(
  run: BlockRun,
  best: BestTransactions,
  settings: SelectionSettings,
): Steps<readonly Tx[]> {
  const taken: Tx[] = []
  for (let entry = best.next(); entry && !settings.isEnough(usedGas(run, settings)); entry = best.next()) {
    if (entry.tx.gasLimit > run.pool.gas) {
      if (isFull(run, settings)) break
      best.skipSender()
    } else if (!paysEnough(entry, settings)) best.skipSender()
    else if (tryRun(run, entry, settings)) taken.push(entry.tx)
    else best.skipSender()
    yield
  }
  return taken
}

function usedGas({ pool }: BlockRun, { gasLimit }: SelectionSettings): bigint {
  return gasLimit - pool.gas
}

function isFull(run: BlockRun, settings: SelectionSettings): boolean {
  const { gasLimit, minOccupancy } = settings
  return run.pool.gas < minTxSize || Number(usedGas(run, settings)) >= Number(gasLimit) * minOccupancy
}

function paysEnough({ tx, priority }: PoolEntry, { baseFee, minGasPrice, minPriorityFee }: SelectionSettings): boolean {
  if (priority) return true
  return effectiveGasPriceOf(tx, baseFee) >= minGasPrice && priorityFeeOf(tx, baseFee) >= minPriorityFee
}

function tryRun(run: BlockRun, entry: PoolEntry, { findRefusal, drop }: SelectionSettings): boolean {
  const refusal = findRefusal(entry)
  if (refusal) {
    drop(entry, refusal)
    return false
  }
  try {
    run.add(entry.tx, entry.sender)
    return true
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    if (!temporary.has(error.at.code)) drop(entry, error.at)
    return false
  }
}
