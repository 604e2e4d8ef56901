import { useEffect } from 'preact/hooks'
import { findByName, type NamedPage } from '../data/findByName.ts'
import { goTo } from '../data/route.ts'
import { useSite } from '../data/session.ts'
import { useLoad } from '../data/useLoad.ts'
import { parseSearch } from '../decode/parseSearch.ts'
import { Card } from '../parts/Card.tsx'
import { Hash } from '../parts/Links.tsx'
import { Empty, Failed, Waiting } from '../parts/Notes.tsx'
import { Table } from '../parts/Table.tsx'
import { Text } from '../parts/Text.tsx'

/** Finds out what was searched for, and goes there. */
export function SearchPage({ text }: { text: string }) {
  const { ask, node, namespaces } = useSite()
  const found = parseSearch(text)
  const { value, error } = useLoad(`search ${node.path} ${text}`, async () => {
    if (!found || found.kind === 'part') {
      const named = await findByName(ask, text, namespaces.has('OTS'))
      return named.length === 1 ? named[0]!.route : named
    }
    if (found.kind !== 'hash') return `${found.kind}/${found.value}`
    const [block, tx] = await Promise.all([
      ask<object | null>('eth_getBlockByHash', [found.value, false]),
      ask<object | null>('eth_getTransactionByHash', [found.value]),
    ])
    return block ? `block/${found.value}` : tx ? `tx/${found.value}` : null
  })
  useEffect(() => {
    // The search itself is no page to come back to.
    if (typeof value === 'string') location.replace(`#/${value}`)
  }, [value])
  if (error) return <Failed error={error} what="The search" />
  if (value === undefined || typeof value === 'string') return <Waiting lines={3} />
  if (value && value.length > 0) return <NamedPages text={text} found={value} />
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

/** Accounts and tokens that have a text in their names. */
function NamedPages({ text, found }: { text: string; found: readonly NamedPage[] }) {
  const rows = found.map(({ route, name, what, address }) => ({
    key: route,
    cells: [
      <a key="name" href={`#/${route}`}>
        <Text value={name} max={80} />
      </a>,
      <span key="what" class="tag">
        {what}
      </span>,
      <Hash key="address" hex={address} what="address" />,
    ],
  }))
  return (
    <>
      <h1>
        Found by name: <Text value={text} max={60} />
      </h1>
      <Card title="Accounts and tokens">
        <Table
          label="Found by name"
          columns={[{ title: 'Name' }, { title: 'Kind' }, { title: 'Address' }]}
          rows={rows}
        />
      </Card>
    </>
  )
}

/** What is said before the text that was searched for. */
const nothingFound: Readonly<Record<string, string>> = {
  hash: 'This node knows no block and no transaction with the hash ',
  part: 'A hash has 64 hexadecimal digits and an address 40; copy all of them. This has another number: ',
  unknown: 'This is no block number, hash or address, and no account or token has it in its name: ',
}

/** Begins a search. */
export function search(text: string): void {
  if (text.trim()) goTo(`/search/${encodeURIComponent(text.trim().slice(0, 200))}`)
}
