import type { Evm } from '../evm/evm.ts'
import type { BlockEnv, Halt, Outcome } from '../evm/message.ts'
import { type Rules, since } from '../forks/rules.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Log } from '../types/log.ts'
import { accessListOf, blobHashesOf, effectiveGasPriceOf, maxGasPriceOf, type Tx } from '../types/transaction.ts'
import { applyAuthorizations } from './authorizations.ts'
import { blobGasOf, floorGas, intrinsicGas } from './intrinsicGas.ts'

/**
 * What a transaction pays: gas and value, the value alone, or nothing. With `nothing` the sender gets what it lacks of
 * the value.
 */
export type Payment = 'all' | 'value' | 'nothing'

/** The block that a transaction runs in, and what it pays. The interpreter knows the block from `setBlock`. */
export interface TxOptions {
  readonly block: BlockEnv
  readonly rules: Rules
  /** Default: all. */
  readonly pays?: Payment
  /** Accounts that are warm from the start beside those of the fork's rules. */
  readonly warm?: readonly Address[]
}

/** How a transaction ended. */
export interface TxOutcome {
  readonly status: 0 | 1
  readonly halt: Halt
  /** Gas that is paid for: after refunds, at least the floor. */
  readonly gasUsed: bigint
  /** Gas that was needed while the transaction ran, before refunds. */
  readonly gasSpent: bigint
  readonly output: Uint8Array
  readonly logs: readonly Log[]
  /** Contract that the transaction itself created. */
  readonly created: Address | undefined
}

/** The largest amount that the transaction may take from its sender. */
export function upfrontCost(tx: Tx): bigint {
  const blobs = tx.type === 3 ? blobGasOf(tx) * tx.maxBlobFee : 0n
  return tx.gasLimit * maxGasPriceOf(tx) + tx.value + blobs
}

/**
 * Runs a transaction that the caller has checked (see `checkTx.ts`): takes payment, runs the message, settles the gas and
 * pays the beneficiary. Blocks, calls, estimates, traces and simulations all come here. With `keep` false the state is
 * left as it was before the transaction.
 */
export function runTx(evm: Evm, tx: Tx, sender: Address, options: TxOptions, keep = true): TxOutcome {
  const { block, rules, pays = 'all' } = options
  const price = pays === 'all' ? effectiveGasPriceOf(tx, block.baseFee) : 0n
  evm.beginTx({ origin: sender, gasPrice: price, blobHashes: blobHashesOf(tx) })
  const start = evm.snapshot()
  if (pays === 'nothing') addValue(evm, tx, sender)
  warmUp(evm, tx, sender, options)
  if (pays === 'all') evm.subBalance(sender, tx.gasLimit * price + blobFeeOf(tx, block))

  const { status, halt, gasLeft, output, created } = sendMessage(evm, tx, sender, options)
  const gasSpent = tx.gasLimit - gasLeft
  const gasUsed = settleGas(evm, tx, gasSpent, rules)
  const logs = evm.logs()
  if (keep) {
    if (pays === 'all') {
      evm.addBalance(sender, (tx.gasLimit - gasUsed) * price)
      // The base fee goes to nobody.
      evm.addBalance(block.beneficiary, gasUsed * (price - block.baseFee))
    }
    evm.endTx()
  } else evm.revertTo(start)
  return { status: status === 'success' ? 1 : 0, halt, gasUsed, gasSpent, output, logs, created }
}

function addValue(evm: Evm, tx: Tx, sender: Address): void {
  const have = evm.balance(sender)
  if (have < tx.value) evm.addBalance(sender, tx.value - have)
}

/** Warms everything that is warm from the start (EIP-2929, 2930, 3651); the interpreter warms its precompiles itself. */
function warmUp(evm: Evm, tx: Tx, sender: Address, { block, rules, warm }: TxOptions): void {
  if (!since(rules, 'berlin')) return
  evm.warmAddress(sender)
  if (tx.to) evm.warmAddress(tx.to)
  if (since(rules, 'shanghai')) evm.warmAddress(block.beneficiary)
  for (const { address, slots } of accessListOf(tx)) {
    evm.warmAddress(address)
    for (const slot of slots) evm.warmSlot(address, slot)
  }
  if (warm) for (const address of warm) evm.warmAddress(address)
}

/** The price of the blobs. Calls are not refused for a bid below it: they pay their bid, which the sender is known to have. */
function blobFeeOf(tx: Tx, { blobBaseFee }: BlockEnv): bigint {
  if (tx.type !== 3) return 0n
  return blobGasOf(tx) * (tx.maxBlobFee < blobBaseFee ? tx.maxBlobFee : blobBaseFee)
}

/** Raises the nonce of the sender and runs the message. Where nonces are not checked, that of the account counts. */
function sendMessage(evm: Evm, tx: Tx, sender: Address, { block, rules }: TxOptions): Outcome {
  const gas = tx.gasLimit - intrinsicGas(tx, rules)
  const nonce = evm.nonce(sender)
  evm.setNonce(sender, nonce + 1n)
  if (!tx.to) return evm.create({ from: sender, value: tx.value, initCode: tx.data, gas, nonce })
  if (tx.type === 4) applyAuthorizations(evm, tx.authorizations, block.chainId)
  return evm.call({ from: sender, to: tx.to, value: tx.value, data: tx.data, gas })
}

/** Gas that is paid for in the end. */
function settleGas(evm: Evm, tx: Tx, gasSpent: bigint, rules: Rules): bigint {
  const max = gasSpent / rules.refundQuotient
  const refund = evm.refund()
  const used = gasSpent - (refund < max ? refund : max)
  const floor = floorGas(tx, rules)
  return used > floor ? used : floor
}
