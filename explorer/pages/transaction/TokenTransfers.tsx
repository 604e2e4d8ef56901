import type { Log } from '../../data/objects.ts'
import { useSite } from '../../data/session.ts'
import { loadToken } from '../../data/tokens.ts'
import { useLoad } from '../../data/useLoad.ts'
import { findTokenTransfers, type TokenTransfer } from '../../decode/tokenTransfers.ts'
import { TokenAmount } from '../../parts/Amount.tsx'
import { Card } from '../../parts/Card.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Table } from '../../parts/Table.tsx'
import { Text } from '../../parts/Text.tsx'
import { TokenLink } from '../../parts/TokenParts.tsx'

const maxShown = 100

function What({ transfer: { token, standard, id, amount } }: { transfer: TokenTransfer }) {
  const { ask } = useSite()
  const { value } = useLoad(`token ${token}`, () => loadToken(ask, token))
  const decimals = standard === 'ERC-20' ? (value?.decimals ?? 0) : 0
  return (
    <span class="pair">
      {amount !== undefined && <TokenAmount amount={amount} decimals={decimals} symbol={value?.symbol} />}
      {id !== undefined && <Text value={`#${id}`} max={24} />}
      {amount === undefined && value?.symbol && <Text value={value.symbol} max={24} />}
    </span>
  )
}

/** Tokens that moved, by the logs. */
export function TokenTransfers({ logs }: { logs: readonly Log[] }) {
  const transfers = findTokenTransfers(logs)
  if (transfers.length === 0) return null
  const columns = [{ title: 'Token' }, { title: 'From' }, { title: 'To' }, { title: 'Amount', numeric: true }]
  const rows = transfers.slice(0, maxShown).map((transfer, key) => ({
    key,
    cells: [
      <span key="token" class="pair">
        <TokenLink address={transfer.token} />
        <span class="tag">{transfer.standard}</span>
      </span>,
      <AddressLink key="from" address={transfer.from} copy={false} />,
      <AddressLink key="to" address={transfer.to} copy={false} />,
      <What key="what" transfer={transfer} />,
    ],
  }))
  return (
    <Card title="Token transfers" side={<span class="soft number">{transfers.length}</span>}>
      <Table label="Token transfers" columns={columns} rows={rows} />
    </Card>
  )
}
