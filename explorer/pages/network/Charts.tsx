import { useMemo } from 'preact/hooks'
import type { Block } from '../../data/objects.ts'
import { formatCount, formatDecimal } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { Chart, type Series } from '../../parts/Chart.tsx'
import { Empty } from '../../parts/Notes.tsx'

/** What is usual: an average would say more of one standstill than of all other blocks. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)

function seriesOf(blocks: readonly Block[], value: (block: Block, before: Block) => number): Series {
  const later = blocks.slice(1)
  return {
    blocks: later.map(({ number }) => Number(number)),
    values: later.map((block, i) => value(block, blocks[i]!)),
  }
}

/** Block time, transactions and gas of the last blocks. */
export function Charts({ blocks }: { blocks: readonly Block[] | undefined }) {
  const [times, counts, gas] = useMemo(() => {
    if (!blocks) return []
    // A block after genesis, whose time is long past, would hide all others.
    const timed = blocks.filter(({ timestamp, number }) => Number(number) > 0 && Number(timestamp) > 0)
    return [
      seriesOf(timed, (block, before) => Number(block.timestamp) - Number(before.timestamp)),
      seriesOf(blocks, ({ transactions }) => transactions.length),
      seriesOf(blocks, ({ gasUsed }) => Number(gasUsed) / 1e6),
    ]
  }, [blocks])
  const usual = formatDecimal(median(times?.values ?? []), 2)
  if (blocks && blocks.length < 2)
    return (
      <Card title="Block time, transactions and gas">
        <Empty>There are charts of the last blocks as soon as there are some.</Empty>
      </Card>
    )
  const average = (series: Series | undefined, digits: number) => formatDecimal(mean(series?.values ?? []), digits)
  return (
    <div class="charts">
      <Card title="Block time" side={<span class="soft number">{usual} s usually</span>}>
        <Chart
          data={times}
          style="line"
          format={(value) => `${formatDecimal(value)} s`}
          summary={`Seconds between the last blocks, ${usual} usually`}
        />
      </Card>
      <Card title="Transactions per block" side={<span class="soft number">{average(counts, 1)} on average</span>}>
        <Chart
          data={counts}
          format={(value) => (Number.isInteger(value) ? formatCount(value) : '')}
          summary={`Transactions in the last blocks, ${average(counts, 1)} on average`}
        />
      </Card>
      <Card title="Gas used per block" side={<span class="soft number">{average(gas, 2)} M on average</span>}>
        <Chart
          data={gas}
          format={(value) => `${formatDecimal(value, 2)} M`}
          summary={`Gas used by the last blocks in millions, ${average(gas, 2)} on average`}
        />
      </Card>
    </div>
  )
}
