import type { Hex } from 'viem'
import { loadTxsBefore } from '../../data/accountTxs.ts'
import { actionOf } from '../../data/actionOf.ts'
import { useHead } from '../../data/head.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import type { CallFrame } from '../../decode/callTree.ts'
import { type InternalCall, internalCallsOf } from '../../decode/internalCalls.ts'
import { toQuantity } from '../../format/quantity.ts'
import { Age } from '../../parts/Age.tsx'
import { Ether } from '../../parts/Amount.tsx'
import { Card } from '../../parts/Card.tsx'
import { AddressLink, BlockLink, TxLink } from '../../parts/Links.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Table } from '../../parts/Table.tsx'
import { Text } from '../../parts/Text.tsx'

/** Transactions of one page: each of them is run again. */
const perPage = 10
/** Calls of one transaction that are shown; its own page has all of them. */
const maxCalls = 50

interface Found {
  readonly hash: Hex
  readonly block: number
  readonly timestamp: number
  readonly calls: readonly InternalCall[]
}

async function loadPage(ask: Ask, address: Hex, before: string | null) {
  const { txs, receipts, lastPage } = await loadTxsBefore(ask, address, Number(before ?? 0), perPage)
  const found: Found[] = []
  // One after the other: a trace may be long, and all of a block come on one page.
  for (const { hash, to, input, blockNumber } of txs) {
    if (to !== null && input === '0x' && to.toLowerCase() !== address.toLowerCase()) continue
    const timestamp = Number(receipts.find(({ transactionHash }) => transactionHash === hash)?.timestamp ?? 0)
    const trace = await ask<CallFrame>('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
    found.push({ hash, block: Number(blockNumber), timestamp, calls: internalCallsOf(trace, address) })
  }
  return { found, next: lastPage ? undefined : Number(txs.at(-1)?.blockNumber ?? 0) }
}

/** What contracts did to and for an account in its transactions: calls, creations, ether that was sent. */
export function InternalTxs({ address, query }: { address: Hex; query: URLSearchParams }) {
  const { ask, node, namespaces } = useSite()
  const { number: head } = useHead()
  const before = query.get('before')
  const served = namespaces.has('OTS') && namespaces.has('DEBUG')
  const { value, error } = useLoad(
    `internal ${node.path} ${address} ${before}`,
    async () => (served ? loadPage(ask, address, before) : undefined),
    // Blocks come faster than traces: this list is not renewed by itself, unless nothing is there yet.
    head === undefined,
  )
  const route = `address/${address}/internal`
  const pager = (
    <Pager
      label="Pages of internal transactions"
      newer={before === null ? undefined : route}
      older={value?.next ? `${route}?before=${value.next}` : undefined}
    />
  )
  const rows = value?.found.flatMap(({ hash, block, timestamp, calls }) =>
    calls.slice(0, maxCalls).map(({ frame, path, failed }) => ({
      key: `${hash} ${path.join('.')}`,
      cells: [
        <span key="tx" class="pair">
          <TxLink hash={hash} copy={false} />
          {failed && <span class="tag bad">failed</span>}
        </span>,
        <BlockLink key="block" number={block} />,
        <Age key="age" timestamp={timestamp} />,
        <span key="action" class="pair">
          <span class="tag">{frame.type}</span>
          <Text value={actionOf(frame, toQuantity(block))} max={28} />
        </span>,
        <AddressLink key="from" address={frame.from} copy={false} />,
        frame.to ? <AddressLink key="to" address={frame.to} copy={false} /> : 'nobody',
        <Ether key="value" wei={BigInt(frame.value ?? 0)} />,
      ],
    })),
  )
  const columns = [
    { title: 'Transaction' },
    { title: 'Block', numeric: true, minor: true },
    { title: 'Age', minor: true },
    { title: 'Action' },
    { title: 'From', minor: true },
    { title: 'To', minor: true },
    { title: 'Value', numeric: true },
  ]
  return (
    <Card title="Internal transactions" side={pager}>
      <p class="soft">
        Calls of contracts from or to this account, in transactions that name it, or in which it emitted events or moved
        tokens: {perPage} of these at a time are run again.
      </p>
      {!served ? (
        <Empty>They are shown when the node serves the namespaces OTS and DEBUG.</Empty>
      ) : error ? (
        <Failed error={error} what="The list of internal transactions" />
      ) : rows?.length === 0 ? (
        <Empty>
          {value?.next
            ? 'None in these transactions; there may be some in older ones.'
            : 'There are no internal transactions.'}
        </Empty>
      ) : (
        <Table label="Internal transactions" columns={columns} rows={rows} expected={5} />
      )}
    </Card>
  )
}
