import type { Evm } from '../evm/evm.ts'
import type { BlockEnv } from '../evm/message.ts'
import type { Rules } from '../forks/rules.ts'
import type { Address } from '../primitives/bytes.ts'
import { maxU64 } from '../primitives/u256.ts'
import { maxGasPriceOf, type Tx } from '../types/transaction.ts'
import { isDelegation } from './authorizations.ts'
import { TxError } from './fault.ts'
import { floorGas, intrinsicGas } from './intrinsicGas.ts'
import { type TxOptions, upfrontCost } from './runTx.ts'

/** Contract code to deploy must not be too long (EIP-3860). */
export function checkInitCode(tx: Tx, rules: Rules): void {
  if (!tx.to && rules.initCodeWordGas > 0n && tx.data.length > 2 * rules.maxCodeSize)
    throw new TxError({ code: 'INIT_CODE_TOO_LARGE', have: tx.data.length, limit: 2 * rules.maxCodeSize })
}

/** The priority fee must not be above the whole fee (EIP-1559). */
export function checkPriorityFee(tx: Tx): void {
  if (tx.type !== 0 && tx.type !== 1 && tx.maxPriorityFee > tx.maxFee)
    throw new TxError({ code: 'PRIORITY_FEE_ABOVE_MAX_FEE', priority: tx.maxPriorityFee, max: tx.maxFee })
}

/** The gas must be enough for what a transaction costs before its first instruction, and for the floor. */
export function checkGas(tx: Tx, rules: Rules): void {
  const intrinsic = intrinsicGas(tx, rules)
  const floor = floorGas(tx, rules)
  const want = intrinsic > floor ? intrinsic : floor
  if (tx.gasLimit < want) throw new TxError({ code: 'INTRINSIC_GAS_TOO_LOW', have: tx.gasLimit, want })
}

/** The price must not be below the base fee of the block. */
export function checkBaseFee(tx: Tx, { baseFee }: BlockEnv): void {
  const have = maxGasPriceOf(tx)
  if (have < baseFee) throw new TxError({ code: 'MAX_FEE_BELOW_BASE_FEE', have, baseFee })
}

function checkBlobFee(tx: Tx, { blobBaseFee }: BlockEnv): void {
  if (tx.type === 3 && tx.maxBlobFee < blobBaseFee)
    throw new TxError({ code: 'MAX_BLOB_FEE_TOO_LOW', have: tx.maxBlobFee, want: blobBaseFee })
}

/** The nonce must be that of the sender's account. */
export function checkNonce(evm: Evm, tx: Tx, sender: Address): void {
  const nonce = evm.nonce(sender)
  if (tx.nonce < nonce) throw new TxError({ code: 'NONCE_TOO_LOW', have: tx.nonce, want: nonce })
  if (tx.nonce > nonce) throw new TxError({ code: 'NONCE_TOO_HIGH', have: tx.nonce, want: nonce })
  if (nonce === maxU64) throw new TxError({ code: 'NONCE_OVERFLOW' })
}

function checkSenderCode(evm: Evm, sender: Address): void {
  const code = evm.code(sender)
  if (code.length > 0 && !isDelegation(code)) throw new TxError({ code: 'SENDER_HAS_CODE' })
}

/** The sender must have an amount of wei. */
export function checkFunds(evm: Evm, sender: Address, want: bigint): void {
  const have = evm.balance(sender)
  if (have < want) throw new TxError({ code: 'INSUFFICIENT_FUNDS', have, want })
}

/** What the state and the block demand of a transaction in a block; `validateTx` has looked at the transaction itself. */
export function checkBlockTx(evm: Evm, tx: Tx, sender: Address, block: BlockEnv, rules: Rules): void {
  checkBaseFee(tx, block)
  checkBlobFee(tx, block)
  checkNonce(evm, tx, sender)
  if (!rules.contractsMaySend) checkSenderCode(evm, sender)
  checkFunds(evm, sender, upfrontCost(tx))
}

/** What is demanded of a call: nobody signed it, its nonce does not count, and its sender may be a contract. */
export function checkCall(evm: Evm, tx: Tx, sender: Address, { block, rules, pays = 'all' }: TxOptions): void {
  if (pays === 'all') checkBaseFee(tx, block)
  checkGas(tx, rules)
  if (pays !== 'nothing') checkFunds(evm, sender, pays === 'all' ? upfrontCost(tx) : tx.value)
}
