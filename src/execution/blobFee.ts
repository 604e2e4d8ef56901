import type { BlobRules, Rules } from '../forks/rules.ts'
import type { Header } from '../types/header.ts'
import { gasPerBlob } from './intrinsicGas.ts'

const minBlobFee = 1n
/** Share of execution's price below which blobs do not get cheaper (EIP-7918). */
const blobBaseCost = 8192n

/** Above this the exponential does not fit into 256 bits. */
const maxExponent = 178n
const maxBlobFee = 2n ** 256n - 1n

/** factor · e^(numerator / denominator) by its Taylor series in integers (EIP-4844). */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let sum = 0n
  let term = factor * denominator
  for (let i = 1n; term > 0n; i++) {
    sum += term
    term = (term * numerator) / (denominator * i)
  }
  return sum / denominator
}

/** Price of a unit of blob gas. */
export function blobBaseFee(excessBlobGas: bigint, { updateFraction, isFree }: BlobRules): bigint {
  if (isFree) return 0n
  // Nobody can pay more, and to compute it takes forever: a header may claim any excess.
  if (excessBlobGas > maxExponent * updateFraction) return maxBlobFee
  const fee = fakeExponential(minBlobFee, excessBlobGas, updateFraction)
  return fee < maxBlobFee ? fee : maxBlobFee
}

/** Price of a unit of blob gas in the block of a header; 0 where there are no blobs. */
export function blobBaseFeeOf(header: Pick<Header, 'excessBlobGas'>, rules: Rules): bigint {
  return rules.blobs ? blobBaseFee(header.excessBlobGas ?? 0n, rules.blobs) : 0n
}

/** The excess that a block must carry, by its own rules, after `parent`. */
export function nextExcessBlobGas(parent: Header, rules: Rules): bigint {
  const blobs = rules.blobs!
  const target = gasPerBlob * BigInt(blobs.target)
  const used = parent.blobGasUsed ?? 0n
  const excess = parent.excessBlobGas ?? 0n
  if (excess + used < target) return 0n
  if (rules.blobReservePrice && blobBaseCost * (parent.baseFee ?? 0n) > gasPerBlob * blobBaseFee(excess, blobs))
    return blobs.max === 0 ? excess : excess + (used * BigInt(blobs.max - blobs.target)) / BigInt(blobs.max)
  return excess + used - target
}
