import type { Hex } from 'viem'
import { useHead } from '../../data/head.ts'
import { gather } from '../../data/lists.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { readBalance } from '../../data/tokenChecks.ts'
import { loadBalances, readSigned } from '../../data/tokenLists.ts'
import { loadToken } from '../../data/tokens.ts'
import { useLoad } from '../../data/useLoad.ts'
import { formatExact } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import type { CsvLines } from '../../parts/CsvButton.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Table } from '../../parts/Table.tsx'
import { CheckedAmount, TokenLink, UntrueNote } from '../../parts/TokenParts.tsx'

const perPage = 25

/** A page of balances, and what each contract says. */
async function loadPage(ask: Ask, account: Hex, after: string | null) {
  const page = await loadBalances(ask, account, perPage, after)
  const said = await Promise.all(
    page.entries.map(({ address, standard }) => readBalance(ask, address, standard, account, page.block)),
  )
  return { ...page, entries: page.entries.map((token, i) => ({ ...token, said: said[i] })) }
}

/** What an account has of each token. */
export function AccountTokens({ address, query }: { address: Hex; query: URLSearchParams }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const after = query.get('after')
  const { value, error } = useLoad(
    `balances of ${node.path} ${address} ${after}`,
    () => loadPage(ask, address, after),
    after === null && head,
  )
  const rows = value?.entries.map(({ address: token, standard, balance, said }) => ({
    key: `${token} ${standard}`,
    cells: [
      <TokenLink key="token" address={token} />,
      <span key="standard" class="tag">
        {standard}
      </span>,
      <AddressLink key="contract" address={token} copy={false} />,
      <CheckedAmount key="balance" {...{ address: token, standard, said }} amount={readSigned(balance)} bare />,
      <a key="more" href={`#/token/${token}/holder/${address}`}>
        {standard === 'ERC-20' ? 'Transfers' : 'Items'}
        <span class="visually-hidden"> of {token}</span>
      </a>,
    ],
  }))
  const whole = async (): Promise<CsvLines> => {
    const all = await gather((size, cursor) => loadBalances(ask, address, size, cursor))
    const lines = await Promise.all(
      all.map(async ({ address: token, standard, balance }) => {
        const { symbol = '', decimals = 0 } = await loadToken(ask, token)
        return [symbol, standard, token, formatExact(readSigned(balance), standard === 'ERC-20' ? decimals : 0)]
      }),
    )
    return [['Token', 'Standard', 'Contract', 'Balance'], ...lines]
  }
  const route = `address/${address}/tokens`
  const pager = (
    <Pager
      label="Pages of tokens"
      newer={after === null ? undefined : route}
      older={value?.next ? `${route}?after=${value.next}` : undefined}
      words={['← First', 'Further →']}
    />
  )
  const columns = [
    { title: 'Token' },
    { title: 'Standard', minor: true },
    { title: 'Contract', minor: true },
    { title: 'Balance', numeric: true },
    { title: 'More', minor: true },
  ]
  const isUntrue = value?.entries.some(({ said, balance }) => said !== undefined && said !== readSigned(balance))
  return (
    <Card title="Tokens" side={pager}>
      {isUntrue && <UntrueNote what="The events of some token" />}
      {error ? (
        <Failed error={error} what="The list of tokens" />
      ) : rows?.length === 0 ? (
        <Empty>This account has no tokens, as far as transfers say.</Empty>
      ) : (
        <Table label="Tokens" columns={columns} rows={rows} expected={5} whole={whole} />
      )}
    </Card>
  )
}
