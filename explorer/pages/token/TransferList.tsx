import { useHead } from '../../data/head.ts'
import { useSite } from '../../data/session.ts'
import { loadTransfers, type TransferQuery } from '../../data/tokenLists.ts'
import { useLoad } from '../../data/useLoad.ts'
import { Card } from '../../parts/Card.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { TransferTable } from '../../parts/TransferTable.tsx'

const perPage = 25

/** Transfers of tokens, newest first; `route` is the page that they are on. */
export function TransferList({ of, route, query }: { of: TransferQuery; route: string; query: URLSearchParams }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const before = query.get('before')
  const { value, error } = useLoad(
    `transfers ${node.path} ${of.token} ${of.account} ${before}`,
    () => loadTransfers(ask, of, perPage, before),
    before === null && head,
  )
  const pager = (
    <Pager
      label="Pages of transfers"
      newer={before === null ? undefined : route}
      older={value?.next ? `${route}?before=${value.next}` : undefined}
    />
  )
  return (
    <Card title="Token transfers" side={pager}>
      {error ? (
        <Failed error={error} what="The list of transfers" />
      ) : value?.entries.length === 0 ? (
        <Empty>
          {value.next ? 'None on this page; there may be older ones.' : 'There are no transfers of tokens.'}
        </Empty>
      ) : (
        <TransferTable query={of} transfers={value?.entries} expected={perPage} />
      )}
    </Card>
  )
}
