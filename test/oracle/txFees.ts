import type { Tx } from '../../src/types/transaction.ts'

/** What the transaction offers per unit of gas; a gas price is both fees at once (EIP-1559). */
export function feesOf(tx: Tx): { readonly maxFee: bigint; readonly maxPriorityFee: bigint } {
  if (tx.type === 0 || tx.type === 1) return { maxFee: tx.gasPrice, maxPriorityFee: tx.gasPrice }
  return tx
}

/** What a unit of gas costs the sender, burnt base fee included. */
export function gasPriceOf(tx: Tx, baseFee: bigint): bigint {
  const { maxFee, maxPriorityFee } = feesOf(tx)
  const wanted = baseFee + maxPriorityFee
  return wanted < maxFee ? wanted : maxFee
}
