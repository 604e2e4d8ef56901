import type { Hex } from 'viem'
import { useHead } from '../../data/head.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { spreadBlocks } from '../../decode/spreadBlocks.ts'
import { formatDecimal } from '../../format/numbers.ts'
import { toQuantity } from '../../format/quantity.ts'
import { Card } from '../../parts/Card.tsx'
import { Chart } from '../../parts/Chart.tsx'
import { Failed } from '../../parts/Notes.tsx'

const points = 60
const ether = 1e18

/** The balance at blocks spread over the whole chain. */
export function BalanceChart({ address }: { address: Hex }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const load = async () => {
    const blocks = spreadBlocks(head ?? 0, points)
    const balances = await Promise.all(blocks.map((one) => ask<Hex>('eth_getBalance', [address, toQuantity(one)])))
    return { blocks, values: balances.map((balance) => Number(BigInt(balance)) / ether) }
  }
  const { value, error } = useLoad(`balances ${node.path} ${address}`, load, head)
  const last = value?.values.at(-1)
  return (
    <Card title="Balance over time" side={<span class="soft">ether, at up to {points} blocks</span>}>
      {error ? (
        <Failed error={error} what="The balance over time" />
      ) : (
        <Chart
          data={value}
          style="line"
          height={260}
          format={(amount) => formatDecimal(amount, 4)}
          summary={`Balance over the chain's blocks, now ${formatDecimal(last ?? 0, 4)} ether`}
        />
      )}
    </Card>
  )
}
