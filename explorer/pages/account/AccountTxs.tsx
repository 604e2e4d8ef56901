import type { Hex } from 'viem'
import { loadTxsAfter, loadTxsBefore } from '../../data/accountTxs.ts'
import { useHead } from '../../data/head.ts'
import type { Transaction } from '../../data/objects.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { Card } from '../../parts/Card.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { TxTable } from '../../parts/TxTable.tsx'

const perPage = 25

/** Transactions from, to and through an account, newest first, where OTS is served. */
export function AccountTxs({ address, query }: { address: Hex; query: URLSearchParams }) {
  const { ask, node, namespaces } = useSite()
  const { number: head } = useHead()
  const before = query.get('before')
  const after = query.get('after')
  const served = namespaces.has('OTS')
  const load = async () => {
    if (!served) return undefined
    if (after !== null) return loadTxsAfter(ask, address, Number(after), perPage)
    return loadTxsBefore(ask, address, Number(before ?? 0), perPage)
  }
  const first = before === null && after === null
  const { value, error } = useLoad(`of ${node.path} ${address} ${before} ${after}`, load, first && head)
  if (!served)
    return (
      <Card title="Transactions">
        <Empty>Transactions of an account are listed when the node serves the namespace OTS.</Empty>
      </Card>
    )
  const route = `address/${address}`
  const numberOf = (tx: Transaction | undefined) => Number(tx?.blockNumber ?? 0)
  const pager = (
    <Pager
      label="Pages of transactions"
      newer={!value || value.firstPage ? undefined : `${route}?after=${numberOf(value.txs[0])}`}
      older={!value || value.lastPage ? undefined : `${route}?before=${numberOf(value.txs.at(-1))}`}
    />
  )
  const txs = value?.txs.map((tx) => {
    const receipt = value.receipts.find(({ transactionHash }) => transactionHash === tx.hash)
    return {
      tx,
      ...(receipt ? { timestamp: Number(receipt.timestamp), failed: receipt.status === '0x0' } : {}),
    }
  })
  return (
    <Card title="Transactions" side={pager}>
      {error ? (
        <Failed error={error} what="The list of transactions" />
      ) : txs?.length === 0 ? (
        <Empty>No transaction has touched this account.</Empty>
      ) : (
        <TxTable label="Transactions" txs={txs} expected={perPage} />
      )}
    </Card>
  )
}
