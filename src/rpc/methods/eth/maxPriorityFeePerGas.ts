import { percentileOf } from '../../../query/prices.ts'
import { priorityFeeOf } from '../../../types/transaction.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

/** Not in Besu 23.10; clients expect it since London. */
export const eth_maxPriorityFeePerGas = method({
  name: 'eth_maxPriorityFeePerGas',
  doc: 'Returns a suggested priority fee in wei: a percentile of those in recent blocks, at least the minimum of this node.',
  needs: ['chain', 'limits', 'mining'],
  params: [],
  result: quantity,
  handler({ chain, limits, mining }) {
    const { blocks, percentile, max } = limits.gasPrice
    const { number } = chain.head.header
    const fees: bigint[] = []
    for (let n = number > BigInt(blocks) ? number - BigInt(blocks) + 1n : 1n; n <= number; n++) {
      const found = chain.blockAt(n)
      for (const tx of found?.block.transactions ?? []) fees.push(priorityFeeOf(tx, found!.header.baseFee ?? 0n))
    }
    const fee = percentileOf(fees, percentile) ?? 0n
    const min = mining.minPriorityFee()
    const bounded = fee < max ? fee : max
    return bounded > min ? bounded : min
  },
})
