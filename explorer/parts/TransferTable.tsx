import { type Hex, hexToBigInt } from 'viem'
import { gather } from '../data/lists.ts'
import { useSite } from '../data/session.ts'
import { loadTransfers, type Transfer, type TransferQuery } from '../data/tokenLists.ts'
import { loadToken } from '../data/tokens.ts'
import { formatExact } from '../format/numbers.ts'
import { formatTime } from '../format/times.ts'
import { Age } from './Age.tsx'
import type { CsvLines } from './CsvButton.tsx'
import { AddressLink, TxLink } from './Links.tsx'
import { type Column, Table } from './Table.tsx'
import { MovedAmount, TokenLink } from './TokenParts.tsx'

const headings = ['Transaction', 'Block', 'Time', 'Token', 'Standard', 'From', 'To', 'Item', 'Amount']

const movedIn = ({ address, standard, amount, id }: Transfer) => ({
  ...{ address, standard },
  amount: amount && hexToBigInt(amount),
  id: id && hexToBigInt(id),
})

/** Whether an account gave or got something. */
function Direction({ transfer: { from, to }, account }: { transfer: Transfer; account: Hex }) {
  const is = (one: Hex) => one.toLowerCase() === account.toLowerCase()
  if (is(from) && is(to)) return <span class="tag">self</span>
  return is(from) ? <span class="tag">out</span> : <span class="tag good">in</span>
}

/** Transfers of tokens; of all that there are in the CSV. */
export function TransferTable({
  query,
  transfers,
  expected,
}: {
  query: TransferQuery
  transfers: readonly Transfer[] | undefined
  expected: number
}) {
  const { ask } = useSite()
  const { token, account } = query
  const columns: Column[] = [
    { title: 'Transaction' },
    { title: 'Age', minor: true },
    ...(account ? [{ title: 'Direction' }] : []),
    { title: 'From', minor: true },
    { title: 'To', minor: account !== undefined },
    ...(token ? [] : [{ title: 'Token' }]),
    { title: 'Amount', numeric: true },
  ]
  const rows = transfers?.map((transfer) => ({
    key: `${transfer.transactionHash} ${transfer.logIndex} ${transfer.position}`,
    cells: [
      <TxLink key="tx" hash={transfer.transactionHash} copy={false} />,
      <Age key="age" timestamp={transfer.timestamp} />,
      ...(account ? [<Direction key="direction" transfer={transfer} account={account} />] : []),
      <AddressLink key="from" address={transfer.from} copy={false} />,
      <AddressLink key="to" address={transfer.to} copy={false} />,
      ...(token ? [] : [<TokenLink key="token" address={transfer.address} />]),
      <MovedAmount key="what" {...movedIn(transfer)} bare />,
    ],
  }))
  const whole = async (): Promise<CsvLines> => {
    const all = await gather((size, cursor) => loadTransfers(ask, query, size, cursor))
    const decimals = new Map<Hex, number>()
    for (const address of new Set(all.map((one) => one.address)))
      decimals.set(address, (await loadToken(ask, address)).decimals ?? 0)
    const lineOf = (one: Transfer) => [
      ...[one.transactionHash, String(Number(one.blockNumber)), formatTime(one.timestamp)],
      ...[one.address, one.standard, one.from, one.to, one.id ? String(hexToBigInt(one.id)) : ''],
      one.amount
        ? formatExact(hexToBigInt(one.amount), one.standard === 'ERC-20' ? decimals.get(one.address)! : 0)
        : '',
    ]
    return [headings, ...all.map(lineOf)]
  }
  return <Table label="Token transfers" columns={columns} rows={rows} expected={expected} whole={whole} />
}
