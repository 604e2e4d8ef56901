import { type Rules, since } from '../forks/rules.ts'
import { accessListOf, type Tx } from '../types/transaction.ts'
import { memoOf } from '../types/txMemo.ts'

const txGas = 21_000n
const zeroByteGas = 4n
const accessListAddressGas = 2400n
const accessListSlotGas = 1900n
/** Gas per entry of an authorization list, of which a part is refunded when the authority exists (EIP-7702). */
export const authorizationGas = 25_000n
/** Blob gas of one blob. */
export const gasPerBlob = 131_072n

/** Bytes of a transaction's data that are zero: counted once, because its gas is computed whenever it is looked at. */
function countZeros(tx: Tx): number {
  const memo = memoOf(tx)
  if (memo.zeros !== undefined) return memo.zeros
  const { data } = tx
  let zeros = 0
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++
  memo.zeros = zeros
  return zeros
}

/** Gas that a transaction costs before its first instruction. */
export function intrinsicGas(tx: Tx, rules: Rules): bigint {
  const zeros = BigInt(countZeros(tx))
  const others = BigInt(tx.data.length) - zeros
  let gas = (tx.to ? txGas : rules.txCreateGas) + zeros * zeroByteGas + others * rules.dataGas
  if (!tx.to) gas += rules.initCodeWordGas * BigInt((tx.data.length + 31) >> 5)
  if (tx.type === 0) return gas
  for (const { slots } of accessListOf(tx)) gas += accessListAddressGas + accessListSlotGas * BigInt(slots.length)
  if (tx.type === 4) gas += authorizationGas * BigInt(tx.authorizations.length)
  return gas
}

/** The least that a transaction costs in the end, by the size of its data (EIP-7623). */
export function floorGas(tx: Tx, rules: Rules): bigint {
  if (!since(rules, 'prague')) return 0n
  const zeros = countZeros(tx)
  const tokens = BigInt(zeros + 4 * (tx.data.length - zeros))
  return txGas + tokens * rules.floorTokenGas
}

/** Blob gas that a transaction uses. */
export function blobGasOf(tx: Tx): bigint {
  return tx.type === 3 ? gasPerBlob * BigInt(tx.blobHashes.length) : 0n
}
