import { formatAmount, formatExact } from '../format/numbers.ts'
import { Text } from './Text.tsx'

/** Below so many wei, six digits after the point show nothing of an amount. */
const leastEther = 10n ** 12n
const gwei = 10n ** 9n

/** An amount of ether, all digits on hover; a small one in smaller units. */
export function Ether({ wei }: { wei: bigint }) {
  if (wei > 0n && wei < leastEther) return wei < gwei ? <Wei wei={wei} /> : <Gwei wei={wei} />
  return (
    <span class="number" title={`${formatExact(wei, 18)} ether`} data-value={`${formatExact(wei, 18)} ether`}>
      {formatAmount(wei, 18)} <span class="unit">ether</span>
    </span>
  )
}

function Wei({ wei }: { wei: bigint }) {
  return (
    <span class="number" title={`${formatExact(wei, 18)} ether`} data-value={`${formatExact(wei, 18)} ether`}>
      {formatAmount(wei, 0)} <span class="unit">wei</span>
    </span>
  )
}

/** A price of gas, or a small amount of ether. */
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
