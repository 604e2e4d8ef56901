import type { Evm } from '../evm/evm.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Tx } from '../types/transaction.ts'
import { checkCall, checkPriorityFee } from './checkTx.ts'
import { runTx, type TxOptions, type TxOutcome } from './runTx.ts'

/**
 * Tries a transaction out on the state of the interpreter, in the block that `setBlock` has set, and leaves that
 * state as it was. The sender need not have signed, its nonce is not compared, and it may be a contract.
 */
export function simulate(evm: Evm, tx: Tx, sender: Address, options: TxOptions): TxOutcome {
  if (options.pays === undefined || options.pays === 'all') checkPriorityFee(tx)
  checkCall(evm, tx, sender, options)
  return runTx(evm, tx, sender, options, false)
}
