import type { Evm } from '../evm/evm.ts'
import type { BlockEnv, Halt } from '../evm/message.ts'
import type { Rules } from '../forks/rules.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Log } from '../types/log.ts'
import { blobHashesOf, effectiveGasPriceOf, maxGasPriceOf, type Tx } from '../types/transaction.ts'
import { run, settle, upfrontCost, warm } from './applyTx.ts'
import { TxError } from './fault.ts'
import { blobGasOf, floorGas, intrinsicGas } from './intrinsicGas.ts'

/** What a trial must be able to pay: all that a transaction pays, the value that it sends, or nothing. */
export type Payment = 'all' | 'value' | 'nothing'

/** How a trial ended. */
export interface Trial {
  readonly status: 'success' | 'revert' | 'halt'
  readonly halt: Halt
  readonly output: Uint8Array
  /** Gas that would be paid for. */
  readonly gasUsed: bigint
  /** Gas that was needed while it ran: refunds come afterwards. */
  readonly gasSpent: bigint
  readonly logs: readonly Log[]
}

function checkPrices(tx: Tx, block: BlockEnv): void {
  if (tx.type !== 0 && tx.type !== 1 && tx.maxPriorityFee > tx.maxFee)
    throw new TxError({ code: 'PRIORITY_FEE_ABOVE_MAX_FEE', priority: tx.maxPriorityFee, max: tx.maxFee })
  const max = maxGasPriceOf(tx)
  if (max < block.baseFee) throw new TxError({ code: 'MAX_FEE_BELOW_BASE_FEE', have: max, baseFee: block.baseFee })
}

function checkGas(tx: Tx, rules: Rules): void {
  const intrinsic = intrinsicGas(tx, rules)
  const floor = floorGas(tx, rules)
  const want = intrinsic > floor ? intrinsic : floor
  if (tx.gasLimit < want) throw new TxError({ code: 'INTRINSIC_GAS_TOO_LOW', have: tx.gasLimit, want })
}

/**
 * Tries a transaction out on the state that the engine stands on, in the block that it was told of by `setBlock`, and
 * leaves that state as it was. The sender need not have signed, its nonce is not compared, and it may be a contract.
 */
export function simulate(
  evm: Evm,
  tx: Tx,
  sender: Address,
  { block, rules }: { readonly block: BlockEnv; readonly rules: Rules },
  payment: Payment,
): Trial {
  if (payment === 'all') checkPrices(tx, block)
  checkGas(tx, rules)
  const have = evm.balance(sender)
  const want = payment === 'all' ? upfrontCost(tx) : tx.value
  if (payment !== 'nothing' && have < want) throw new TxError({ code: 'INSUFFICIENT_FUNDS', have, want })

  const price = payment === 'all' ? effectiveGasPriceOf(tx, block.baseFee) : 0n
  evm.beginTx({ origin: sender, gasPrice: price, blobHashes: blobHashesOf(tx) })
  const start = evm.snapshot()
  if (have < want) evm.addBalance(sender, want - have)
  warm(evm, tx, sender, block, rules)
  if (price > 0n) evm.subBalance(sender, tx.gasLimit * price + blobGasOf(tx) * block.blobBaseFee)
  const outcome = run(evm, tx, sender, block, rules)
  const { status, halt, output, gasLeft } = outcome
  const trial: Trial = {
    status,
    halt,
    output,
    gasUsed: settle(evm, tx, outcome, rules),
    gasSpent: tx.gasLimit - gasLeft,
    logs: evm.logs(),
  }
  evm.revertTo(start)
  return trial
}
