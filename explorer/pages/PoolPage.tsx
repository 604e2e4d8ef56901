import { useState } from 'preact/hooks'
import { isAddress } from 'viem'
import { useNow } from '../data/clock.ts'
import { useHead } from '../data/head.ts'
import { useNetworkState } from '../data/networkState.ts'
import { loadPool, loadPoolOf, loadSenders, nextBlock, type PooledTx, reasonOf } from '../data/pool.ts'
import type { Ask } from '../data/rpc.ts'
import { useSite } from '../data/session.ts'
import { useLoad } from '../data/useLoad.ts'
import { formatCount } from '../format/numbers.ts'
import { Ether, Gwei } from '../parts/Amount.tsx'
import { Card } from '../parts/Card.tsx'
import { AddressLink, TxLink } from '../parts/Links.tsx'
import { Empty, Failed } from '../parts/Notes.tsx'
import { Pager } from '../parts/Pager.tsx'
import { Table } from '../parts/Table.tsx'
import { Text } from '../parts/Text.tsx'

const perPage = 25
/** Longer than it takes until a node that hangs is given up, or it would never be said. */
const refreshSeconds = 10
/** Transactions that are listed as a whole: more are found by their sender. */
const maxListed = 5000

interface Counts {
  readonly pending: number
  readonly queued: number
}

async function loadPage(ask: Ask, sender: string, page: number) {
  const status = await ask<{ pending: string; queued: string }>('txpool_status')
  const counts: Counts = { pending: Number(status.pending), queued: Number(status.queued) }
  const isAll = sender === ''
  if (isAll && counts.pending + counts.queued > maxListed) return { counts, shown: [], total: 0, senders: undefined }
  const all = isAll ? await loadPool(ask) : await loadPoolOf(ask, sender)
  const shown = all.slice(page * perPage, (page + 1) * perPage)
  return { counts, shown, total: all.length, senders: await loadSenders(ask, shown) }
}

/** The transactions that wait, and what each waits for, where TXPOOL is served. */
export function PoolPage({ query }: { query: URLSearchParams }) {
  const { ask, node } = useSite()
  const { number } = useHead()
  const turn = Math.floor(useNow() / refreshSeconds)
  const [sender, setSender] = useState('')
  const page = Math.max(0, Number(query.get('page')) || 0)
  const from = isAddress(sender, { strict: false }) ? sender : ''
  const { value, error } = useLoad(
    `pool ${node.path} ${from} ${page}`,
    () => loadPage(ask, from, page),
    `${number} ${turn}`,
  )
  return (
    <>
      <h1>Pool</h1>
      <Card title="Transactions that wait" side={<Counted counts={value?.counts} />}>
        <label class="field">
          Of one sender
          <input
            class="mono"
            spellcheck={false}
            placeholder="0x… address"
            value={sender}
            aria-invalid={sender !== '' && from === ''}
            onInput={(event) => setSender(event.currentTarget.value.trim())}
          />
        </label>
        {error ? (
          <Failed error={error} what="The pool" />
        ) : value && value.shown.length === 0 ? (
          <Nothing counts={value.counts} isFiltered={from !== ''} />
        ) : (
          <PoolTable txs={value?.shown} senders={value?.senders} />
        )}
        {value && value.total > perPage && <Pages page={page} total={value.total} />}
      </Card>
    </>
  )
}

function Counted({ counts }: { counts: Counts | undefined }) {
  if (!counts) return null
  return (
    <span class="soft number">
      {formatCount(counts.pending)} pending, {formatCount(counts.queued)} queued
    </span>
  )
}

function Nothing({ counts: { pending, queued }, isFiltered }: { counts: Counts; isFiltered: boolean }) {
  if (isFiltered) return <Empty>No transaction of this sender waits.</Empty>
  if (pending + queued > 0)
    return <Empty>More transactions wait than can be listed: enter a sender to see its own.</Empty>
  return <Empty>No transaction waits.</Empty>
}

function PoolTable({
  txs,
  senders,
}: {
  txs: readonly PooledTx[] | undefined
  senders: Parameters<typeof reasonOf>[1]
}) {
  const { state } = useNetworkState()
  const stands = state?.status === 'standing'
  const columns = [
    { title: 'Transaction' },
    { title: 'Why it waits' },
    { title: 'From' },
    { title: 'Nonce', numeric: true },
    { title: 'To' },
    { title: 'Value', numeric: true },
    { title: 'Pays at most', numeric: true },
  ]
  const rows = txs?.map(({ tx, queued }) => {
    const reason = reasonOf({ tx, queued }, senders)
    return {
      key: tx.hash,
      cells: [
        <span key="hash" class="pair">
          <TxLink hash={tx.hash} />
          {queued && <span class="tag">queued</span>}
        </span>,
        <Text
          key="reason"
          value={reason === nextBlock && stands ? 'the network stands still' : (reason ?? '…')}
          max={120}
        />,
        <AddressLink key="from" address={tx.from} copy={false} />,
        formatCount(Number(tx.nonce)),
        tx.to ? <AddressLink key="to" address={tx.to} copy={false} /> : 'new contract',
        <Ether key="value" wei={BigInt(tx.value)} />,
        <Gwei key="price" wei={BigInt(tx.maxFeePerGas ?? tx.gasPrice ?? 0)} />,
      ],
    }
  })
  return <Table label="Pool" columns={columns} rows={rows} expected={5} />
}

function Pages({ page, total }: { page: number; total: number }) {
  const last = Math.min(total, (page + 1) * perPage)
  return (
    <div class="pager">
      <Pager
        label="Pages of the pool"
        newer={page > 0 ? `pool?page=${page - 1}` : undefined}
        older={last < total ? `pool?page=${page + 1}` : undefined}
        words={['← Before', 'After →']}
      />
      <span class="soft number">
        {formatCount(page * perPage + 1)} to {formatCount(last)} of {formatCount(total)}
      </span>
    </div>
  )
}
