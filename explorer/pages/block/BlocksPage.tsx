import { useHead } from '../../data/head.ts'
import type { Block } from '../../data/objects.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { toQuantity } from '../../format/quantity.ts'
import { Card } from '../../parts/Card.tsx'
import { Failed } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { BlockTable } from './BlockTable.tsx'

const perPage = 25

/** All blocks, newest first; the first page follows the head. */
export function BlocksPage({ query }: { query: URLSearchParams }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const asked = query.get('from')
  const from = asked === null ? head : Math.min(Number(asked) || 0, head ?? Number.MAX_SAFE_INTEGER)
  const load = async () => {
    if (from === undefined) return undefined
    const numbers = Array.from({ length: Math.min(perPage, from + 1) }, (_, i) => from - i)
    const blocks = await Promise.all(
      numbers.map((one) => ask<Block | null>('eth_getBlockByNumber', [toQuantity(one), false])),
    )
    return blocks.filter((block) => block !== null)
  }
  const { value, error } = useLoad(`blocks ${node.path} ${asked ?? 'head'}`, load, from)
  const newer = asked !== null && from! + perPage < (head ?? 0) ? `blocks?from=${from! + perPage}` : undefined
  const pager = (
    <Pager
      label="Pages of blocks"
      newer={asked === null ? undefined : (newer ?? 'blocks')}
      older={from !== undefined && from >= perPage ? `blocks?from=${from - perPage}` : undefined}
    />
  )
  return (
    <>
      <h1>Blocks</h1>
      <Card title={asked === null ? 'Latest blocks' : `From block ${from?.toLocaleString('en')}`} side={pager}>
        {error ? <Failed error={error} what="The list of blocks" /> : <BlockTable blocks={value} expected={perPage} />}
      </Card>
    </>
  )
}
