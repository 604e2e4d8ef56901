import type { Log } from '../../data/objects.ts'
import { findTokenTransfers } from '../../decode/tokenTransfers.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Table } from '../../parts/Table.tsx'
import { MovedAmount, TokenLink } from '../../parts/TokenParts.tsx'

const maxShown = 100

/** Tokens that moved, by the logs. */
export function TokenTransfers({ logs }: { logs: readonly Log[] }) {
  const transfers = findTokenTransfers(logs)
  if (transfers.length === 0) return null
  const columns = [{ title: 'Token' }, { title: 'From' }, { title: 'To' }, { title: 'Amount', numeric: true }]
  const rows = transfers.slice(0, maxShown).map(({ token, standard, from, to, amount, id }, key) => ({
    key,
    cells: [
      <span key="token" class="pair">
        <TokenLink address={token} />
        <span class="tag">{standard}</span>
      </span>,
      <AddressLink key="from" address={from} copy={false} />,
      <AddressLink key="to" address={to} copy={false} />,
      <MovedAmount key="what" address={token} {...{ standard, amount, id }} />,
    ],
  }))
  return (
    <Card title="Token transfers" side={<Counted count={transfers.length} />}>
      <Table label="Token transfers" columns={columns} rows={rows} />
    </Card>
  )
}

function Counted({ count }: { count: number }) {
  return (
    <span class="soft number">
      {count > maxShown ? `the first ${maxShown} of ${formatCount(count)}` : formatCount(count)}
    </span>
  )
}
