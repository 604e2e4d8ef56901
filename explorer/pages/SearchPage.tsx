import { useEffect } from 'preact/hooks'
import { goTo } from '../data/route.ts'
import { useSite } from '../data/session.ts'
import { useLoad } from '../data/useLoad.ts'
import { parseSearch } from '../decode/parseSearch.ts'
import { Empty, Failed, Waiting } from '../parts/Notes.tsx'
import { Text } from '../parts/Text.tsx'

/** Finds out what was searched for, and goes there. */
export function SearchPage({ text }: { text: string }) {
  const { ask, node } = useSite()
  const found = parseSearch(text)
  const { value, error } = useLoad(`search ${node.path} ${text}`, async () => {
    if (!found || found.kind === 'part') return null
    if (found.kind !== 'hash') return `${found.kind}/${found.value}`
    const [block, tx] = await Promise.all([
      ask<object | null>('eth_getBlockByHash', [found.value, false]),
      ask<object | null>('eth_getTransactionByHash', [found.value]),
    ])
    return block ? `block/${found.value}` : tx ? `tx/${found.value}` : null
  })
  useEffect(() => {
    // The search itself is no page to come back to.
    if (value) location.replace(`#/${value}`)
  }, [value])
  if (error) return <Failed error={error} what="The search" />
  if (value === undefined || value) return <Waiting lines={3} />
  return (
    <>
      <h1>Nothing found</h1>
      <Empty>
        {nothingFound[found?.kind ?? 'unknown']}
        <Text value={text} max={100} />
      </Empty>
    </>
  )
}

/** What is said before the text that was searched for. */
const nothingFound: Readonly<Record<string, string>> = {
  hash: 'This node knows no block and no transaction with the hash ',
  part: 'A hash has 64 hexadecimal digits and an address 40; copy all of them. This has another number: ',
  unknown: 'This is no block number, hash or address: ',
}

/** Begins a search. */
export function search(text: string): void {
  if (text.trim()) goTo(`/search/${encodeURIComponent(text.trim().slice(0, 200))}`)
}
