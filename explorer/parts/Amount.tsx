import { formatAmount, formatExact } from '../format/numbers.ts'
import { Text } from './Text.tsx'

/** An amount of ether, all digits on hover. */
export function Ether({ wei }: { wei: bigint }) {
  return (
    <span class="number" title={`${formatExact(wei, 18)} ether`} data-value={`${formatExact(wei, 18)} ether`}>
      {formatAmount(wei, 18)} <span class="unit">ether</span>
    </span>
  )
}

/** A price of gas. */
export function Gwei({ wei }: { wei: bigint }) {
  return (
    <span class="number" title={`${wei} wei`} data-value={`${formatExact(wei, 9)} gwei`}>
      {formatAmount(wei, 9)} <span class="unit">gwei</span>
    </span>
  )
}

/** An amount of a token, whose symbol is whatever its author wrote. */
export function TokenAmount({
  amount,
  decimals,
  symbol,
}: {
  amount: bigint
  decimals: number
  symbol: string | undefined
}) {
  return (
    <span
      class="number"
      title={formatExact(amount, decimals)}
      data-value={`${formatExact(amount, decimals)} ${symbol ?? ''}`.trim()}
    >
      {formatAmount(amount, decimals)} {symbol && <Text value={symbol} max={24} />}
    </span>
  )
}
