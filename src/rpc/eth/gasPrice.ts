import { quantity } from '../codecs/quantity.ts'
import { method } from '../method.ts'

/** The order statistic that Besu takes: the value at n × percentile, rounded down. */
function percentileOf(sorted: readonly bigint[], percentile: number): bigint {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percentile) / 100))]!
}

export const eth_gasPrice = method({
  name: 'eth_gasPrice',
  doc: 'Gas price to offer: a percentile of what transactions of recent blocks offered, within the bounds of this node.',
  needs: ['chain', 'limits', 'mining'],
  params: [],
  result: quantity,
  handler({ chain, limits, mining }) {
    const { blocks, percentile, max } = limits.gasPrice
    const { number } = chain.head.header
    const prices: bigint[] = []
    // As in Besu, the head itself does not count, nor do transactions that bid for the base fee.
    for (let n = number > BigInt(blocks) ? number - BigInt(blocks) : 0n; n < number; n++)
      for (const tx of chain.blockAt(n)?.block.transactions ?? [])
        if (tx.type === 0 || tx.type === 1) prices.push(tx.gasPrice)
    const least = mining.minGasPrice()
    if (prices.length === 0) return least
    const price = percentileOf(
      prices.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      percentile,
    )
    const bounded = price < max ? price : max
    return bounded > least ? bounded : least
  },
})
