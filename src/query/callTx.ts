import type { Hash32 } from '../primitives/bytes.ts'
import { noAccessList, type Tx } from '../types/transaction.ts'
import type { Call } from './call.ts'

interface Prices {
  readonly gasPrice: bigint
  readonly maxFee: bigint
  readonly maxPriorityFee: bigint
}

const noPrices: Prices = { gasPrice: 0n, maxFee: 0n, maxPriorityFee: 0n }

function pricesOf({ gasPrice, maxFee, maxPriorityFee }: Call): Prices {
  const price = gasPrice ?? maxFee ?? 0n
  return { gasPrice: price, maxFee: price, maxPriorityFee: maxPriorityFee ?? gasPrice ?? 0n }
}

export interface CallTxOptions {
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly chainId: bigint
  /** Without it the prices that the call names do not count. */
  readonly pays: boolean
}

/** The transaction that a call stands for: of the oldest type that has what it names. Nobody signed it. */
export function callTx(call: Call, { nonce, gasLimit, chainId, pays }: CallTxOptions): Tx {
  const { to, value, data, blobHashes, authorizations, accessList } = call
  const prices = pays ? pricesOf(call) : noPrices
  const feeMarket = call.maxFee !== undefined || call.maxPriorityFee !== undefined
  if (!authorizations && !blobHashes && !accessList && !feeMarket)
    return { type: 0, to, value, data, nonce, gasLimit, gasPrice: prices.gasPrice, v: 27n, r: 0n, s: 0n }
  const signature = { yParity: 0, r: 0n, s: 0n }
  const common = { to, value, data, nonce, gasLimit, chainId, accessList: accessList ?? noAccessList, ...signature }
  if (authorizations) return { ...common, ...prices, type: 4, authorizations }
  if (blobHashes) {
    const hashes = blobHashes as readonly Hash32[]
    return { ...common, ...prices, type: 3, blobHashes: hashes, maxBlobFee: call.maxBlobFee ?? 0n }
  }
  return feeMarket ? { ...common, ...prices, type: 2 } : { ...common, type: 1, gasPrice: prices.gasPrice }
}
