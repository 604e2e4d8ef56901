import { effectiveGasPriceOf, type Tx } from '../types/transaction.ts'

/** Price bump in percent for replacing a blob transaction, whose blobs were already sent around. */
const blobPriceBump = 100

function raised(from: bigint, to: bigint, bump: number): boolean {
  return to * 100n >= from * BigInt(100 + bump)
}

/** Returns whether a transaction may replace another one of the same sender and nonce. */
export function mayReplace(old: Tx, next: Tx, baseFee: bigint | undefined, priceBump: number): boolean {
  if (old.type === 3) return outbidsBlobs(old, next)
  const bump = BigInt(100 + priceBump)
  if ('gasPrice' in old && 'gasPrice' in next) return next.gasPrice >= (old.gasPrice * bump) / 100n
  return baseFee !== undefined && paysMoreNow(old, next, baseFee, priceBump)
}

/**
 * Compares what the transactions would pay in the next block, not their maximum fees. With equal prices Besu asks for the
 * bump on the tip: if both tips are 0, any other transaction of that price is accepted.
 */
function paysMoreNow(old: Tx, next: Tx, baseFee: bigint, priceBump: number): boolean {
  const oldPrice = effectiveGasPriceOf(old, baseFee)
  const newPrice = effectiveGasPriceOf(next, baseFee)
  return raised(oldPrice, newPrice, priceBump) || (newPrice === oldPrice && newPrice <= baseFee)
}

function outbidsBlobs(old: Tx & { type: 3 }, next: Tx): boolean {
  if (next.type === 3 && !raised(old.maxBlobFee, next.maxBlobFee, blobPriceBump)) return false
  const [maxFee, tip] = 'gasPrice' in next ? [next.gasPrice, next.gasPrice] : [next.maxFee, next.maxPriorityFee]
  return raised(old.maxFee, maxFee, blobPriceBump) && raised(old.maxPriorityFee, tip, blobPriceBump)
}
