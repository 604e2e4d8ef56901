import type { Evm } from '../evm/evm.ts'
import type { BlockEnv, Halt, Outcome } from '../evm/message.ts'
import { type Rules, since } from '../forks/rules.ts'
import type { Address } from '../primitives/bytes.ts'
import { maxU64 } from '../primitives/u256.ts'
import type { Log } from '../types/log.ts'
import { accessListOf, blobHashesOf, effectiveGasPriceOf, maxGasPriceOf, type Tx } from '../types/transaction.ts'
import { applyAuthorizations, isDelegation } from './authorizations.ts'
import { TxError } from './fault.ts'
import { blobGasOf, floorGas, intrinsicGas } from './intrinsicGas.ts'
import { validateTx } from './validateTx.ts'

/** Gas that a block has left; counted down by each transaction. */
export interface GasPool {
  gas: bigint
  blobGas: bigint
}

export interface TxOutcome {
  readonly status: 0 | 1
  readonly halt: Halt
  readonly gasUsed: bigint
  readonly output: Uint8Array
  readonly logs: readonly Log[]
  /** Contract that the transaction itself created. */
  readonly created: Address | undefined
}

/** Block that transactions run in; the engine has been told of it by `setBlock`. */
export interface TxContext {
  readonly block: BlockEnv
  readonly rules: Rules
  readonly pool: GasPool
}

/**
 * Runs a transaction. One that may not be in this block is a TxError and leaves the engine as it was;
 * one that fails while running still pays for its gas.
 */
export function applyTx(evm: Evm, tx: Tx, sender: Address | undefined, context: TxContext): TxOutcome {
  const { block, rules, pool } = context
  validateTx(tx, rules, block.chainId)
  if (!sender) throw new TxError({ code: 'INVALID_SIGNATURE' })
  checkPool(tx, pool)
  checkFees(tx, block)
  checkSender(evm, tx, sender)

  const price = effectiveGasPriceOf(tx, block.baseFee)
  evm.beginTx({ origin: sender, gasPrice: price, blobHashes: blobHashesOf(tx) })
  warm(evm, tx, sender, block, rules)
  evm.subBalance(sender, tx.gasLimit * price + blobGasOf(tx) * block.blobBaseFee)
  const outcome = run(evm, tx, sender, block, rules)
  const gasUsed = settle(evm, tx, outcome, rules)
  evm.addBalance(sender, (tx.gasLimit - gasUsed) * price)
  evm.addBalance(block.beneficiary, gasUsed * (price - block.baseFee))
  const logs = evm.logs()
  evm.endTx()
  pool.gas -= gasUsed
  pool.blobGas -= blobGasOf(tx)
  const { status, halt, output, created } = outcome
  return { status: status === 'success' ? 1 : 0, halt, gasUsed, output, logs, created }
}

function checkPool(tx: Tx, pool: GasPool): void {
  if (tx.gasLimit > pool.gas) throw new TxError({ code: 'GAS_LIMIT_EXCEEDS_BLOCK', have: tx.gasLimit, left: pool.gas })
  const blobGas = blobGasOf(tx)
  if (blobGas > pool.blobGas) throw new TxError({ code: 'BLOB_GAS_EXCEEDS_BLOCK', have: blobGas, left: pool.blobGas })
}

function checkFees(tx: Tx, block: BlockEnv): void {
  const max = maxGasPriceOf(tx)
  if (max < block.baseFee) throw new TxError({ code: 'MAX_FEE_BELOW_BASE_FEE', have: max, baseFee: block.baseFee })
  if (tx.type === 3 && tx.maxBlobFee < block.blobBaseFee)
    throw new TxError({ code: 'MAX_BLOB_FEE_TOO_LOW', have: tx.maxBlobFee, want: block.blobBaseFee })
}

/** Most that the transaction may take from its sender. */
export function upfrontCost(tx: Tx): bigint {
  const blobs = tx.type === 3 ? blobGasOf(tx) * tx.maxBlobFee : 0n
  return tx.gasLimit * maxGasPriceOf(tx) + tx.value + blobs
}

function checkSender(evm: Evm, tx: Tx, sender: Address): void {
  const nonce = evm.nonce(sender)
  if (tx.nonce < nonce) throw new TxError({ code: 'NONCE_TOO_LOW', have: tx.nonce, want: nonce })
  if (tx.nonce > nonce) throw new TxError({ code: 'NONCE_TOO_HIGH', have: tx.nonce, want: nonce })
  if (nonce === maxU64) throw new TxError({ code: 'NONCE_OVERFLOW' })
  const code = evm.code(sender)
  if (code.length > 0 && !isDelegation(code)) throw new TxError({ code: 'SENDER_HAS_CODE' })
  const have = evm.balance(sender)
  const want = upfrontCost(tx)
  if (have < want) throw new TxError({ code: 'INSUFFICIENT_FUNDS', have, want })
}

/** Warms everything that is warm from the start (EIP-2929, 2930, 3651); precompiles are the engine's own. */
export function warm(evm: Evm, tx: Tx, sender: Address, block: BlockEnv, rules: Rules): void {
  if (!since(rules, 'berlin')) return
  evm.warmAddress(sender)
  if (tx.to) evm.warmAddress(tx.to)
  if (since(rules, 'shanghai')) evm.warmAddress(block.beneficiary)
  for (const { address, slots } of accessListOf(tx)) {
    evm.warmAddress(address)
    for (const slot of slots) evm.warmSlot(address, slot)
  }
}

/** Runs the message of a transaction that is valid and paid for, and raises its sender's nonce. */
export function run(evm: Evm, tx: Tx, sender: Address, block: BlockEnv, rules: Rules): Outcome {
  const gas = tx.gasLimit - intrinsicGas(tx, rules)
  evm.setNonce(sender, tx.nonce + 1n)
  if (!tx.to) return evm.create({ from: sender, value: tx.value, initCode: tx.data, gas, nonce: tx.nonce })
  if (tx.type === 4) applyAuthorizations(evm, tx.authorizations, block.chainId)
  return evm.call({ from: sender, to: tx.to, value: tx.value, data: tx.data, gas })
}

/** Gas that is paid for in the end: less what is refunded, no less than the floor. */
export function settle(evm: Evm, tx: Tx, { gasLeft }: Outcome, rules: Rules): bigint {
  const spent = tx.gasLimit - gasLeft
  const max = spent / rules.refundQuotient
  const refund = evm.refund()
  const used = spent - (refund < max ? refund : max)
  const floor = floorGas(tx, rules)
  return used > floor ? used : floor
}
