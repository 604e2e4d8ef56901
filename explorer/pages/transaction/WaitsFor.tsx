import { useHead } from '../../data/head.ts'
import type { Transaction } from '../../data/objects.ts'
import { loadPoolOf, loadSenders, reasonOf } from '../../data/pool.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { Text } from '../../parts/Text.tsx'

/** What a transaction in the pool waits for, where TXPOOL is served. */
export function WaitsFor({ tx }: { tx: Transaction }) {
  const { ask, namespaces } = useSite()
  const { number } = useHead()
  const { value } = useLoad(
    `waits ${tx.hash}`,
    async () => {
      if (!namespaces.has('TXPOOL')) return undefined
      const own = await loadPoolOf(ask, tx.from)
      const pooled = own.find((one) => one.tx.hash === tx.hash)
      return pooled && reasonOf(pooled, await loadSenders(ask, [pooled]))
    },
    number,
  )
  return (
    <>
      <span class="tag">waits in the pool</span>
      {value && (
        <>
          {': '}
          <Text value={value} max={160} />
        </>
      )}
    </>
  )
}
