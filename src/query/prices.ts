import type { ChainView } from '../chain/view.ts'
import type { Tx } from '../types/transaction.ts'

/** How prices to offer are worked out from those of recent blocks. */
export interface PriceOptions {
  /** Blocks before the head that count. */
  readonly blocks: number
  readonly percentile: number
  /** The maximum of what is returned. */
  readonly max: bigint
}

/** The order statistic that Besu takes: the value at n × percentile, rounded down; undefined of nothing. */
export function percentileOf(values: bigint[], percentile: number): bigint | undefined {
  values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return values[Math.min(values.length - 1, Math.floor((values.length * percentile) / 100))]
}

/** What the transactions before the head offer, as in Besu; the head itself does not count. */
function percentileOfRecent(
  chain: ChainView,
  { blocks, percentile }: PriceOptions,
  priceOf: (tx: Tx) => bigint | undefined,
): bigint | undefined {
  const { number } = chain.head.header
  const prices: bigint[] = []
  // Fewer count where a state was taken over lately, or old blocks are not kept.
  const first = BigInt(chain.past?.first ?? 0)
  const from = number > BigInt(blocks) ? number - BigInt(blocks) : 0n
  for (let n = from > first ? from : first; n < number; n++)
    for (const tx of chain.blockAt(n)?.block.transactions ?? []) {
      const price = priceOf(tx)
      if (price !== undefined) prices.push(price)
    }
  return percentileOf(prices, percentile)
}

/** Gas price to offer, no less than `least`. Transactions that bid for the base fee do not count. */
export function gasPriceToOffer(chain: ChainView, options: PriceOptions, min: bigint): bigint {
  const price = percentileOfRecent(chain, options, (tx) => (tx.type === 0 || tx.type === 1 ? tx.gasPrice : undefined))
  if (price === undefined) return min
  const bounded = price < options.max ? price : options.max
  return bounded > min ? bounded : min
}

/** Priority fee that recent transactions offered; undefined when none did. */
export function offeredPriorityFee(chain: ChainView, options: PriceOptions): bigint | undefined {
  return percentileOfRecent(chain, options, (tx) => (tx.type === 0 || tx.type === 1 ? undefined : tx.maxPriorityFee))
}
