import { type Hex, hexToBigInt } from 'viem'
import { useHead } from '../../data/head.ts'
import { gather } from '../../data/lists.ts'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { readBalance, readItem } from '../../data/tokenChecks.ts'
import { type Item, loadBalances, loadItems, readSigned, type Standard } from '../../data/tokenLists.ts'
import { useLoad } from '../../data/useLoad.ts'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import type { CsvLines } from '../../parts/CsvButton.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Empty, Failed, Waiting } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Table } from '../../parts/Table.tsx'
import { CheckedAmount, ItemId, UntrueNote } from '../../parts/TokenParts.tsx'
import { TransferList } from './TransferList.tsx'

const perPage = 25

interface Held {
  readonly standard: Standard
  readonly amount: bigint
  readonly said: bigint | undefined
}

async function loadHeld(ask: Ask, token: Hex, account: Hex): Promise<readonly Held[]> {
  // The list is in the order of contracts: behind this cursor comes the token, if the account has any of it.
  const before = hexToBigInt(token) - 1n
  const { block, entries } = await loadBalances(ask, account, 3, before < 0n ? null : `255.${before}`)
  const own = entries.filter(({ address }) => address.toLowerCase() === token.toLowerCase())
  return Promise.all(
    own.map(async ({ standard, balance }) => ({
      standard,
      amount: readSigned(balance),
      said: await readBalance(ask, token, standard, account, block),
    })),
  )
}

/** What one account has of one token, and how it came by it. */
export function HolderOfToken({
  token,
  account,
  standards,
  query,
}: {
  token: Hex
  account: Hex
  standards: readonly Standard[]
  query: URLSearchParams
}) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const { value, error } = useLoad(`held ${node.path} ${token} ${account}`, () => loadHeld(ask, token, account), head)
  const route = `token/${token}/holder/${account}`
  return (
    <>
      <Card title="Holder">
        {value?.some(({ said, amount }) => said !== undefined && said !== amount) && (
          <UntrueNote what="The events of this token" />
        )}
        <Facts>
          <Fact name="Account">
            <AddressLink address={account} full />
          </Fact>
          {error && (
            <Fact name="Balance">
              <Failed error={error} what="The balance" />
            </Fact>
          )}
          {!error && !value && (
            <Fact name="Balance">
              <Waiting />
            </Fact>
          )}
          {value?.length === 0 && <Fact name="Balance">none</Fact>}
          {value?.map(({ standard, amount, said }) => (
            <Fact key={standard} name={`Balance (${standard})`}>
              <CheckedAmount {...{ address: token, standard, amount, said }} />
            </Fact>
          ))}
        </Facts>
      </Card>
      {standards
        .filter((standard) => standard !== 'ERC-20')
        .map((standard) => (
          <Items key={standard} {...{ token, account, standard, query, route }} />
        ))}
      <TransferList of={{ token, account }} route={route} query={query} />
    </>
  )
}

async function loadItemPage(ask: Ask, token: Hex, account: Hex, standard: Standard, after: string | null) {
  const page = await loadItems(ask, account, token, standard, perPage, after)
  const said = await Promise.all(
    page.entries.map(({ id }) => readItem(ask, token, standard, account, hexToBigInt(id), page.block)),
  )
  return { ...page, entries: page.entries.map((item, i) => ({ ...item, said: said[i] })) }
}

function Items({
  token,
  account,
  standard,
  query,
  route,
}: {
  token: Hex
  account: Hex
  standard: Standard
  query: URLSearchParams
  route: string
}) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const after = query.get(standard)
  const { value, error } = useLoad(
    `items ${node.path} ${token} ${account} ${standard} ${after}`,
    () => loadItemPage(ask, token, account, standard, after),
    after === null && head,
  )
  const rows = value?.entries.map(({ id, amount, said }) => ({
    key: id,
    cells: [
      <ItemId key="id" id={hexToBigInt(id)} />,
      <CheckedAmount key="amount" {...{ address: token, standard, said }} amount={readSigned(amount)} bare />,
    ],
  }))
  const whole = async (): Promise<CsvLines> => {
    const all = await gather<Item>((size, cursor) => loadItems(ask, account, token, standard, size, cursor))
    return [['Item', 'Amount'], ...all.map(({ id, amount }) => [String(hexToBigInt(id)), String(readSigned(amount))])]
  }
  const pager = (
    <Pager
      label={`Pages of items, ${standard}`}
      newer={after === null ? undefined : route}
      older={value?.next ? `${route}?${standard}=${value.next}` : undefined}
      words={['← First', 'Further →']}
    />
  )
  return (
    <Card title={`Items (${standard})`} side={pager}>
      {error ? (
        <Failed error={error} what="The list of items" />
      ) : rows?.length === 0 ? (
        <Empty>This account has no items of this token.</Empty>
      ) : (
        <Table
          label={`Items (${standard})`}
          columns={[{ title: 'Item' }, { title: 'Amount', numeric: true }]}
          rows={rows}
          expected={5}
          whole={whole}
        />
      )}
    </Card>
  )
}
