import type { BlockRun } from '../../execution/applyBlock.ts'
import { TxError, type TxFault } from '../../execution/fault.ts'
import type { BestTransactions } from '../../pool/bestTransactions.ts'
import type { PoolEntry } from '../../pool/entry.ts'
import type { PoolFault } from '../../pool/fault.ts'
import type { Steps } from '../../primitives/steps.ts'
import { sizeInBlock } from '../../types/block.ts'
import { blobHashesOf, effectiveGasPriceOf, priorityFeeOf, type Tx } from '../../types/transaction.ts'

/** Rules for selecting transactions. */
export interface SelectionSettings {
  readonly baseFee: bigint
  readonly gasLimit: bigint
  /** Bytes that the transactions may take in the encoded block. */
  readonly maxBytes: number
  /** Blobs that the operator wants in a block at most; undefined: as many as the fork allows. */
  readonly maxBlobs: number | undefined
  readonly minGasPrice: bigint
  readonly minPriorityFee: bigint
  /** Share of the gas limit, and of the bytes, above which the first transaction that does not fit ends the block. */
  readonly minOccupancy: number
  /** Whether a block of this gas takes no more, so that the validators keep their period. */
  readonly isEnough: (gasUsed: bigint, bytes: number) => boolean
  /** Why permissioning refuses a transaction that it allowed into the pool. */
  readonly findRefusal: (entry: PoolEntry) => PoolFault | undefined
  /** Called with each invalid transaction. */
  readonly drop: (entry: PoolEntry, fault: TxFault | PoolFault) => void
}

const minTxGas = 21_000n

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
  let room = settings.maxBytes
  let blobs = settings.maxBlobs ?? Infinity
  const isEnough = () => settings.isEnough(usedGas(run, settings), settings.maxBytes - room)
  for (let entry = best.next(); entry && !isEnough(); entry = best.next()) {
    const size = sizeInBlock(entry.tx)
    if (entry.tx.gasLimit > run.pool.gas || size > room) {
      if (isFull(run, room, settings)) break
      best.skipSender()
    } else if (blobsOf(entry.tx) > blobs || !paysEnough(entry, settings)) best.skipSender()
    else if (tryRun(run, entry, settings)) {
      taken.push(entry.tx)
      room -= size
      blobs -= blobsOf(entry.tx)
    } else best.skipSender()
    yield
  }
  return taken
}

const blobsOf = (tx: Tx) => blobHashesOf(tx).length

function usedGas({ pool }: BlockRun, { gasLimit }: SelectionSettings): bigint {
  return gasLimit - pool.gas
}

function isFull(run: BlockRun, room: number, settings: SelectionSettings): boolean {
  const { gasLimit, maxBytes, minOccupancy } = settings
  if (maxBytes - room >= maxBytes * minOccupancy) return true
  return run.pool.gas < minTxGas || Number(usedGas(run, settings)) >= Number(gasLimit) * minOccupancy
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
