import { actionOf } from '../data/actionOf.ts'
import type { Transaction } from '../data/objects.ts'
import { Age } from './Age.tsx'
import { AddressLink, BlockLink, TxLink } from './Links.tsx'
import { Table } from './Table.tsx'
import { Text } from './Text.tsx'
import { TxValue } from './TxValue.tsx'

/** A transaction in a list, with what is known of its outcome. */
export interface ListedTx {
  readonly tx: Transaction
  readonly timestamp?: number
  readonly failed?: boolean
}

/** A list of transactions. */
export function TxTable({
  label,
  txs,
  placed = true,
  expected = 10,
}: {
  label: string
  txs: readonly ListedTx[] | undefined
  /** Whether block and age are shown. */
  placed?: boolean
  expected?: number
}) {
  const place = placed
    ? [
        { title: 'Block', numeric: true },
        { title: 'Age', minor: true },
      ]
    : []
  const columns = [
    { title: 'Transaction' },
    ...place,
    { title: 'Action', minor: true },
    { title: 'From', minor: true },
    { title: 'To' },
    { title: 'Value', numeric: true },
  ]
  const rows = txs?.map(({ tx, timestamp, failed }) => ({
    key: tx.hash,
    cells: [
      <span key="hash" class="pair">
        <TxLink hash={tx.hash} />
        {failed && <span class="tag bad">failed</span>}
      </span>,
      ...(placed
        ? [
            tx.blockNumber ? <BlockLink key="block" number={Number(tx.blockNumber)} /> : 'pending',
            timestamp === undefined ? '' : <Age key="age" timestamp={timestamp} />,
          ]
        : []),
      <span key="action" class="tag">
        <Text value={actionOf(tx)} max={28} />
      </span>,
      <AddressLink key="from" address={tx.from} copy={false} />,
      tx.to ? <AddressLink key="to" address={tx.to} copy={false} /> : 'new contract',
      <TxValue key="value" tx={tx} />,
    ],
  }))
  return <Table label={label} columns={columns} rows={rows} expected={expected} />
}
