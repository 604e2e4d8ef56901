import type { Evm } from '../evm/evm.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Tx } from '../types/transaction.ts'
import { checkBlockTx } from './checkTx.ts'
import { TxError } from './fault.ts'
import { blobGasOf } from './intrinsicGas.ts'
import { runTx, type TxOptions, type TxOutcome } from './runTx.ts'
import { validateTx } from './validateTx.ts'

/** Gas that a block has left; counted down by each transaction. */
export interface GasPool {
  gas: bigint
  blobGas: bigint
}

/** The block that transactions run in, and the gas that it has left for them. */
export interface TxContext extends TxOptions {
  readonly pool: GasPool
}

/**
 * Runs a transaction of a block. One that may not be in this block is a TxError and leaves the state as it was;
 * one that fails while running still pays for its gas.
 */
export function applyTx(evm: Evm, tx: Tx, sender: Address | undefined, context: TxContext): TxOutcome {
  const { block, rules, pool } = context
  validateTx(tx, rules, block.chainId)
  if (!sender) throw new TxError({ code: 'INVALID_SIGNATURE' })
  checkPool(tx, pool)
  checkBlockTx(evm, tx, sender, block, rules)
  const outcome = runTx(evm, tx, sender, context)
  countDown(pool, tx, outcome)
  return outcome
}

function checkPool(tx: Tx, pool: GasPool): void {
  if (tx.gasLimit > pool.gas) throw new TxError({ code: 'GAS_LIMIT_EXCEEDS_BLOCK', have: tx.gasLimit, left: pool.gas })
  const blobGas = blobGasOf(tx)
  if (blobGas > pool.blobGas) throw new TxError({ code: 'BLOB_GAS_EXCEEDS_BLOCK', have: blobGas, left: pool.blobGas })
}

/** Takes the gas of a transaction that has run from what its block has left. */
export function countDown(pool: GasPool, tx: Tx, { gasUsed }: TxOutcome): void {
  pool.gas -= gasUsed
  pool.blobGas -= blobGasOf(tx)
}
