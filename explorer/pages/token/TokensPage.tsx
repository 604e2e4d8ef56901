import { hexToBigInt } from 'viem'
import { useHead } from '../../data/head.ts'
import { gather } from '../../data/lists.ts'
import { useSite } from '../../data/session.ts'
import { loadTokens, type RankedToken } from '../../data/tokenLists.ts'
import { loadToken } from '../../data/tokens.ts'
import { useLoad } from '../../data/useLoad.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import type { CsvLines } from '../../parts/CsvButton.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Table } from '../../parts/Table.tsx'
import { Text } from '../../parts/Text.tsx'
import { TokenLink, useToken } from '../../parts/TokenParts.tsx'

const perPage = 25

function Name({ token }: { token: RankedToken }) {
  const about = useToken(token.address)
  return about?.name ? <Text value={about.name} max={48} /> : null
}

/** All contracts that emitted transfers of tokens, the most moved first. */
export function TokensPage({ query }: { query: URLSearchParams }) {
  const { ask, node, namespaces } = useSite()
  const { number: head } = useHead()
  const after = query.get('after')
  const served = namespaces.has('OTS')
  const { value, error } = useLoad(
    `tokens ${node.path} ${after}`,
    async () => (served ? loadTokens(ask, perPage, after) : undefined),
    after === null && head,
  )
  const columns = [
    { title: 'Token' },
    { title: 'Name', minor: true },
    { title: 'Standard' },
    { title: 'Contract', minor: true },
    { title: 'Transfers', numeric: true },
  ]
  const rows = value?.entries.map((token) => ({
    key: `${token.address} ${token.standard}`,
    cells: [
      <TokenLink key="token" address={token.address} />,
      <Name key="name" token={token} />,
      <span key="standard" class="tag">
        {token.standard}
      </span>,
      <AddressLink key="contract" address={token.address} copy={false} />,
      formatCount(hexToBigInt(token.transfers)),
    ],
  }))
  const whole = async (): Promise<CsvLines> => {
    const all = await gather((size, cursor) => loadTokens(ask, size, cursor))
    const lines = await Promise.all(
      all.map(async ({ address, standard, transfers }) => {
        const { symbol = '', name = '' } = await loadToken(ask, address)
        return [symbol, name, standard, address, String(hexToBigInt(transfers))]
      }),
    )
    return [columns.map(({ title }) => title), ...lines]
  }
  const pager = (
    <Pager
      label="Pages of tokens"
      newer={after === null ? undefined : 'tokens'}
      older={value?.next ? `tokens?after=${value.next}` : undefined}
      words={['← First', 'Further →']}
    />
  )
  return (
    <>
      <h1>Tokens</h1>
      <Card title="By number of transfers" side={pager}>
        {!served ? (
          <Empty>Tokens are counted when the node serves the namespace OTS.</Empty>
        ) : error ? (
          <Failed error={error} what="The list of tokens" />
        ) : rows?.length === 0 ? (
          <Empty>No contract has emitted transfers of tokens (ERC-20, ERC-721, ERC-1155) yet.</Empty>
        ) : (
          <Table label="Tokens" columns={columns} rows={rows} expected={5} whole={whole} />
        )}
      </Card>
    </>
  )
}
