import type { Address } from '../primitives/bytes.ts'

/** Capacity of the pool. */
export interface PoolLimits {
  readonly maxCount: number
  /** Bytes of all transactions and sidecars together, as they are encoded. */
  readonly maxBytes: number
  /**
   * A nonce must be less than this above the sender's next one, which is after its pending transactions: a sender may
   * fill the pool with consecutive nonces. Besu counts from the account's nonce and does not allow that.
   */
  readonly maxFuture: number
  /** Milliseconds after which a transaction expires; undefined: never. */
  readonly retention: number | undefined
  /** `maxSize` of `txpool_besuStatistics`; -1 if the pool is not limited by the number of transactions. */
  readonly shownSize: number
}

export interface PoolOptions {
  readonly limits: PoolLimits
  /** Percentage by which a replacement must raise the price. */
  readonly priceBump: number
  /** Maximum gas price in wei of a transaction that is submitted to this node; 0: no maximum. */
  readonly feeCap: bigint
  /** The same of a transaction that a peer sends; undefined: no maximum, 0: only free ones. */
  readonly remoteFeeCap?: bigint | undefined
  /** Transactions that are submitted to this node need a chain id. */
  readonly strictReplayProtection: boolean
  /** Transactions that are submitted to this node have priority. */
  readonly localPriority: boolean
  /** Senders whose transactions have priority. */
  readonly prioritySenders: readonly Address[]
}

/** A smaller transaction still takes this much of `maxBytes`, for its bookkeeping. */
const minSize = 250

/**
 * Limits of `--tx-pool=layered`: bytes. This pool has no layers: its capacity is that of the two layers that Besu measures
 * in bytes. The default of 12.5 MB holds 100,000 transfers.
 */
export function layeredLimits(options: { layerMaxCapacity: number; maxFutureBySender: number }): PoolLimits {
  const maxBytes = 2 * options.layerMaxCapacity
  return {
    maxBytes,
    maxCount: Math.ceil(maxBytes / minSize),
    maxFuture: options.maxFutureBySender,
    retention: undefined,
    shownSize: -1,
  }
}

/** Average bytes per transaction in a pool that is limited by the number of transactions. */
const meanSize = 32_768
const hour = 3_600_000

/** Limits of `--tx-pool=legacy`: number of transactions; `limitByAccount` is the share of one sender, from 0 to 1. */
export function legacyLimits(options: { maxSize: number; limitByAccount: number; retentionHours: number }): PoolLimits {
  return {
    maxBytes: options.maxSize * meanSize,
    maxCount: options.maxSize,
    maxFuture: Math.ceil(options.maxSize * options.limitByAccount),
    retention: options.retentionHours * hour,
    shownSize: options.maxSize,
  }
}

const defaultPriceBump = 10

/** Returns the price bump; the default is 0 on a network without gas prices, where nothing can be outbid. */
export function priceBumpOf(given: number | undefined, network: { zeroBaseFee: boolean; minGasPrice: bigint }): number {
  if (network.zeroBaseFee) return 0
  return given ?? (network.minGasPrice === 0n ? 0 : defaultPriceBump)
}

export const defaultPoolOptions: PoolOptions = {
  limits: layeredLimits({ layerMaxCapacity: 12_500_000, maxFutureBySender: 200 }),
  priceBump: defaultPriceBump,
  feeCap: 1_000_000_000_000_000_000n,
  strictReplayProtection: false,
  localPriority: true,
  prioritySenders: [],
}
