import { type Hex, hexToBigInt } from 'viem'
import { useHead } from '../../data/head.ts'
import { gather } from '../../data/lists.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { readBalance } from '../../data/tokenChecks.ts'
import { loadHolders, type Standard } from '../../data/tokenLists.ts'
import { loadToken } from '../../data/tokens.ts'
import { useLoad } from '../../data/useLoad.ts'
import { formatExact, formatShare } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import type { CsvLines } from '../../parts/CsvButton.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Table } from '../../parts/Table.tsx'
import { CheckedAmount, UntrueNote } from '../../parts/TokenParts.tsx'

const perPage = 25

/** A page of holders, and what the contract says of each. */
async function loadPage(ask: Ask, token: Hex, standard: Standard, after: string | null) {
  const page = await loadHolders(ask, token, standard, perPage, after)
  const said = await Promise.all(
    page.entries.map(({ address }) => readBalance(ask, token, standard, address, page.block)),
  )
  return { ...page, entries: page.entries.map((holder, i) => ({ ...holder, said: said[i] })) }
}

/** Who holds a token, the largest balance first. */
export function Holders({
  token,
  standard,
  supply,
  query,
}: {
  token: Hex
  standard: Standard
  supply: bigint | undefined
  query: URLSearchParams
}) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const after = query.get('after')
  const { value, error } = useLoad(
    `holders ${node.path} ${token} ${standard} ${after}`,
    () => loadPage(ask, token, standard, after),
    after === null && head,
  )
  const route = `token/${token}/holders`
  const link = (cursor?: string) => `${route}?${new URLSearchParams({ standard, ...(cursor && { after: cursor }) })}`
  const pager = (
    <Pager
      label="Pages of holders"
      newer={after === null ? undefined : link()}
      older={value?.next ? link(value.next) : undefined}
      words={['← First', 'Further →']}
    />
  )
  const rows = value?.entries.map(({ address, balance, said }) => ({
    key: address,
    cells: [
      <AddressLink key="holder" address={address} copy={false} />,
      <CheckedAmount key="balance" {...{ address: token, standard, said }} amount={hexToBigInt(balance)} bare />,
      <span key="share" class="number">
        {supply !== undefined && supply > 0n ? formatShare(hexToBigInt(balance), supply) : ''}
      </span>,
      <a key="more" href={`#/token/${token}/holder/${address}`}>
        In this token<span class="visually-hidden"> of {address}</span>
      </a>,
    ],
  }))
  const whole = async (): Promise<CsvLines> => {
    const all = await gather((size, cursor) => loadHolders(ask, token, standard, size, cursor))
    const decimals = standard === 'ERC-20' ? ((await loadToken(ask, token)).decimals ?? 0) : 0
    return [['Holder', 'Balance'], ...all.map((one) => [one.address, formatExact(hexToBigInt(one.balance), decimals)])]
  }
  const columns = [
    { title: 'Holder' },
    { title: standard === 'ERC-721' ? 'Items' : 'Balance', numeric: true },
    { title: 'Share', numeric: true, minor: true },
    { title: 'More', minor: true },
  ]
  const untrue = value?.entries.some(({ said, balance }) => said !== undefined && said !== hexToBigInt(balance))
  return (
    <Card title="Holders" side={pager}>
      {untrue && <UntrueNote what="The events of this token" />}
      {error ? (
        <Failed error={error} what="The list of holders" />
      ) : rows?.length === 0 ? (
        <Empty>Nobody holds this token, as far as its transfers say.</Empty>
      ) : (
        <Table label="Holders" columns={columns} rows={rows} expected={perPage} whole={whole} />
      )}
    </Card>
  )
}
