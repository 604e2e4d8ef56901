import type { Evm } from '../../evm/evm.ts'
import type { BlockEnv } from '../../evm/message.ts'
import type { Rules } from '../../forks/rules.ts'
import type { Address } from '../../primitives/bytes.ts'
import { blobHashesOf, effectiveGasPriceOf, maxGasPriceOf, type Tx } from '../../types/transaction.ts'
import { run, settle, upfrontCost, warm } from '../applyTx.ts'
import { TxError } from '../fault.ts'
import { blobGasOf, floorGas, intrinsicGas } from '../intrinsicGas.ts'
import type { TxWatch } from './traceTxs.ts'

/** The block that a traced call runs in, and whether it must be able to pay for itself. */
export interface CallTerms {
  readonly block: BlockEnv
  readonly rules: Rules
  readonly pays: boolean
}

function check(evm: Evm, tx: Tx, sender: Address, { block, rules, pays }: CallTerms): void {
  const max = maxGasPriceOf(tx)
  if (pays && max < block.baseFee)
    throw new TxError({ code: 'MAX_FEE_BELOW_BASE_FEE', have: max, baseFee: block.baseFee })
  const intrinsic = intrinsicGas(tx, rules)
  const floor = floorGas(tx, rules)
  const min = intrinsic > floor ? intrinsic : floor
  if (tx.gasLimit < min) throw new TxError({ code: 'INTRINSIC_GAS_TOO_LOW', have: tx.gasLimit, want: min })
  const have = evm.balance(sender)
  const want = upfrontCost(tx)
  if (pays && have < want) throw new TxError({ code: 'INSUFFICIENT_FUNDS', have, want })
}

/**
 * Runs a transaction that nobody has signed, as if it stood in the block, and traces it. Its changes stay in the engine:
 * another call may follow.
 */
export function traceCall<T>(evm: Evm, tx: Tx, sender: Address, terms: CallTerms, watch: TxWatch<T>): T {
  check(evm, tx, sender, terms)
  const { block, rules, pays } = terms
  const price = pays ? effectiveGasPriceOf(tx, block.baseFee) : 0n
  evm.setTracer(watch.tracer)
  try {
    evm.beginTx({ origin: sender, gasPrice: price, blobHashes: blobHashesOf(tx) })
    const have = evm.balance(sender)
    // Where nothing is paid, what is sent need not be there either.
    if (!pays && have < tx.value) evm.addBalance(sender, tx.value - have)
    warm(evm, tx, sender, block, rules)
    evm.subBalance(sender, tx.gasLimit * price + (pays ? blobGasOf(tx) * block.blobBaseFee : 0n))
    const outcome = run(evm, tx, sender, block, rules)
    const gasUsed = settle(evm, tx, outcome, rules)
    evm.addBalance(sender, (tx.gasLimit - gasUsed) * price)
    if (pays) evm.addBalance(block.beneficiary, gasUsed * (price - block.baseFee))
    evm.endTx()
    const { halt, output, status } = outcome
    return watch.finish({ status: status === 'success' ? 1 : 0, halt, output, gasUsed })
  } finally {
    evm.setTracer(undefined)
  }
}
