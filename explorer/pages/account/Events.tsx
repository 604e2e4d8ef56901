import type { Hex } from 'viem'
import { abisFor } from '../../data/abiStore.ts'
import { loadEvents, type PlacedLog } from '../../data/events.ts'
import { useHead } from '../../data/head.ts'
import { gather } from '../../data/lists.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { showValue } from '../../decode/decoded.ts'
import { decodeLog } from '../../decode/decodeLog.ts'
import { formatTime } from '../../format/times.ts'
import { Age } from '../../parts/Age.tsx'
import { Card } from '../../parts/Card.tsx'
import type { CsvLines } from '../../parts/CsvButton.tsx'
import { BlockLink, TxLink } from '../../parts/Links.tsx'
import { LogValues } from '../../parts/LogValues.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Table } from '../../parts/Table.tsx'

const perPage = 25

const lineOf = (log: PlacedLog): string[] => {
  const decoded = decodeLog(log, abisFor(log.address))
  return [
    ...[log.transactionHash, String(Number(log.blockNumber)), formatTime(log.timestamp), String(Number(log.logIndex))],
    ...[decoded?.name ?? '', decoded?.values.map(({ name, value }) => `${name}=${showValue(value)}`).join(' ') ?? ''],
    ...[log.topics.join(' '), log.data],
  ]
}

/** The logs of a contract, newest first, decoded where an ABI is known. */
export function Events({ address, query }: { address: Hex; query: URLSearchParams }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const before = query.get('before')
  const { value, error } = useLoad(
    `events ${node.path} ${address} ${before}`,
    () => loadEvents(ask, address, perPage, before),
    before === null && head,
  )
  const rows = value?.entries.map((log) => ({
    key: `${log.blockNumber} ${log.logIndex}`,
    class: 'tall',
    cells: [
      <TxLink key="tx" hash={log.transactionHash} copy={false} />,
      <BlockLink key="block" number={Number(log.blockNumber)} />,
      <Age key="age" timestamp={log.timestamp} />,
      <LogValues key="event" log={log} token={log.address} />,
    ],
  }))
  const whole = async (): Promise<CsvLines> => {
    const all = await gather((size, cursor) => loadEvents(ask, address, size, cursor))
    return [['Transaction', 'Block', 'Time', 'Log', 'Event', 'Values', 'Topics', 'Data'], ...all.map(lineOf)]
  }
  const route = `address/${address}/events`
  const pager = (
    <Pager
      label="Pages of events"
      newer={before === null ? undefined : route}
      older={value?.next ? `${route}?before=${value.next}` : undefined}
    />
  )
  const columns = [
    { title: 'Transaction' },
    { title: 'Block', numeric: true, minor: true },
    { title: 'Age', minor: true },
    { title: 'Event' },
  ]
  return (
    <Card title="Events" side={pager}>
      {error ? (
        <Failed error={error} what="The list of events" />
      ) : rows?.length === 0 ? (
        <Empty>
          {value?.next ? 'None on this page; there may be older ones.' : 'This contract has emitted no events.'}
        </Empty>
      ) : (
        <Table label="Events" columns={columns} rows={rows} expected={10} whole={whole} />
      )}
    </Card>
  )
}
