import type { Evm } from '../../evm/evm.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Tx } from '../../types/transaction.ts'
import { checkCall } from '../checkTx.ts'
import { runTx, type TxOptions } from '../runTx.ts'
import type { TxWatch } from './traceTxs.ts'

/** Runs a transaction that nobody has signed, as if it were in the block, and traces it. Its changes stay: another call may follow. */
export function traceCall<T>(evm: Evm, tx: Tx, sender: Address, options: TxOptions, watch: TxWatch<T>): T {
  checkCall(evm, tx, sender, options)
  evm.setTracer(watch.tracer)
  try {
    return watch.finish(runTx(evm, tx, sender, options))
  } finally {
    evm.setTracer(undefined)
  }
}
