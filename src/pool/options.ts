import type { Address } from '../primitives/bytes.ts'

/** How much the pool holds. */
export interface PoolLimits {
  readonly maxCount: number
  /** Bytes of all transactions and sidecars together, as they are encoded. */
  readonly maxBytes: number
  /**
   * A nonce must be less than this above the sender's next one. What is already pending counts as sent: a sender may
   * fill the pool with consecutive nonces, which Besu, counting from the account's nonce, does not let it do.
   */
  readonly maxFuture: number
  /** Milliseconds after which a transaction leaves; undefined keeps it. */
  readonly retention: number | undefined
  /** What `txpool_besuStatistics` gives as maxSize: -1 where the number of transactions is not what the user limits. */
  readonly shownSize: number
}

export interface PoolOptions {
  readonly limits: PoolLimits
  /** Percent that a replacement must pay more. */
  readonly priceBump: number
  /** The most that a transaction given to this node may pay per unit of gas; 0 is no cap. */
  readonly feeCap: bigint
  /** Transactions given to this node need a chain id. */
  readonly strictReplayProtection: boolean
  /** Transactions given to this node go first. */
  readonly localPriority: boolean
  /** Senders whose transactions go first. */
  readonly prioritySenders: readonly Address[]
}

/** A transaction that takes less room than this in bytes still takes that much of `maxBytes` by its bookkeeping. */
const minSize = 250

/**
 * `--tx-pool=layered`: room by bytes. This pool needs no layers, it orders everything: the capacities of the two layers
 * that Besu measures in bytes are one. With the default of 12.5 MB that is room for 100,000 transfers.
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

/** Bytes that a transaction may have on average in a pool whose room is counted in transactions. */
const meanSize = 32_768
const hour = 3_600_000

/** `--tx-pool=legacy`: room by number of transactions; `limitByAccount` is the sender's share, from 0 to 1. */
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

/** The price bump where the user gave none: there is nothing to outbid on a network without gas prices. */
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
