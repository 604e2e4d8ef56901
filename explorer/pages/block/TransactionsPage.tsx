import { useHead } from '../../data/head.ts'
import type { FullBlock } from '../../data/objects.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { toQuantity } from '../../format/quantity.ts'
import { Card } from '../../parts/Card.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { type ListedTx, TxTable } from '../../parts/TxTable.tsx'

const wanted = 25
const blocksPerRequest = 16
const maxBlocks = 256

interface Page {
  readonly txs: readonly ListedTx[]
  /** The block that the next page begins at, undefined at genesis. */
  readonly next: number | undefined
}

/** Gathers transactions from a block downwards, whole blocks at a time. */
async function loadPage(ask: Ask, from: number): Promise<Page> {
  const txs: ListedTx[] = []
  let at = from
  while (at >= 0 && txs.length < wanted && from - at < maxBlocks) {
    const numbers = Array.from({ length: Math.min(blocksPerRequest, at + 1) }, (_, i) => at - i)
    const blocks = await Promise.all(
      numbers.map((one) => ask<FullBlock | null>('eth_getBlockByNumber', [toQuantity(one), true])),
    )
    for (const block of blocks) {
      if (txs.length >= wanted) break
      at--
      const timestamp = Number(block?.timestamp ?? 0)
      txs.push(...[...(block?.transactions ?? [])].reverse().map((tx) => ({ tx, timestamp })))
    }
  }
  return { txs, next: at < 0 ? undefined : at }
}

/** All transactions, newest first. */
export function TransactionsPage({ query }: { query: URLSearchParams }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const asked = query.get('from')
  const from = asked === null ? head : Math.min(Number(asked) || 0, head ?? Number.MAX_SAFE_INTEGER)
  const load = async () => (from === undefined ? undefined : loadPage(ask, from))
  const { value, error } = useLoad(`transactions ${node.path} ${asked ?? 'head'}`, load, from)
  const older = value?.next === undefined ? undefined : `transactions?from=${value.next}`
  const pager = (
    <Pager label="Pages of transactions" newer={asked === null ? undefined : 'transactions'} older={older} />
  )
  return (
    <>
      <h1>Transactions</h1>
      <Card title={asked === null ? 'Latest transactions' : `Up to block ${from?.toLocaleString('en')}`} side={pager}>
        {error ? (
          <Failed error={error} what="The list of transactions" />
        ) : value?.txs.length === 0 ? (
          <Empty>
            {value.next === undefined
              ? 'There are no transactions yet.'
              : `The last ${maxBlocks} blocks are empty: older ones may not be.`}
          </Empty>
        ) : (
          <TxTable label="Transactions" txs={value?.txs} expected={wanted} />
        )}
      </Card>
    </>
  )
}
