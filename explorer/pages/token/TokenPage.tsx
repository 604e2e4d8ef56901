import { useEffect } from 'preact/hooks'
import { type Hex, isAddress } from 'viem'
import { useHead } from '../../data/head.ts'
import { remember } from '../../data/recent.ts'
import { useSite } from '../../data/session.ts'
import { loadSummaries, readSigned } from '../../data/tokenLists.ts'
import { useLoad } from '../../data/useLoad.ts'
import { checksummed } from '../../format/checksummed.ts'
import { revealHidden } from '../../format/safeText.ts'
import { shorten } from '../../format/shorten.ts'
import { Hash } from '../../parts/Links.tsx'
import { Empty } from '../../parts/Notes.tsx'
import { Tabs } from '../../parts/Tabs.tsx'
import { Text } from '../../parts/Text.tsx'
import { useToken } from '../../parts/TokenParts.tsx'
import { HolderOfToken } from './HolderOfToken.tsx'
import { Holders } from './Holders.tsx'
import { TokenFacts } from './TokenFacts.tsx'
import { TransferList } from './TransferList.tsx'

/** A token: what it says of itself, what its transfers add up to, who holds it. */
export function TokenPage({
  address,
  tab,
  holder,
  query,
}: {
  address: Hex
  tab: string
  holder: string | undefined
  query: URLSearchParams
}) {
  const { ask, node, namespaces } = useSite()
  const { number: head } = useHead()
  const served = namespaces.has('OTS')
  const token = useToken(address)
  const { value, error } = useLoad(
    `summaries ${node.path} ${address}`,
    async () => (served ? loadSummaries(ask, address) : undefined),
    head,
  )
  const title = token?.symbol ?? shorten(address)
  useEffect(() => remember(`token/${address}`, `Token ${revealHidden(title).slice(0, 24)}`), [address, title])
  const asked = value?.standards.find(({ standard }) => standard === query.get('standard'))
  const summary = asked ?? value?.standards[0]
  const route = `token/${address}`
  return (
    <>
      <header class="title">
        <h1>Token {token?.name && <Text value={token.name} max={60} />}</h1>
        <Hash hex={checksummed(address)} what="address" full />
      </header>
      <TokenFacts address={address} token={token} loaded={value} error={error} served={served} />
      {served && (
        <Tabs
          label="Parts of this token"
          current={summary && tab === 'holders' ? `holders ${summary.standard}` : tab}
          tabs={[
            { name: 'transfers', title: 'Transfers', route },
            ...(value?.standards ?? []).map(({ standard }) => ({
              name: `holders ${standard}`,
              title: value?.standards.length === 1 ? 'Holders' : `Holders (${standard})`,
              route: `${route}/holders?standard=${standard}`,
            })),
            ...(tab === 'holder' ? [{ name: 'holder', title: 'Holder', route: `${route}/holder/${holder}` }] : []),
          ]}
        />
      )}
      {served && tab === 'transfers' && <TransferList of={{ token: address }} route={route} query={query} />}
      {tab === 'holders' && summary && (
        <Holders token={address} standard={summary.standard} supply={readSigned(summary.supply)} query={query} />
      )}
      {tab === 'holders' && value?.standards.length === 0 && (
        <Empty>This contract has emitted no transfers of tokens.</Empty>
      )}
      {tab === 'holder' && value && isAddress(holder ?? '', { strict: false }) && (
        <HolderOfToken
          token={address}
          account={holder as Hex}
          standards={value.standards.map(({ standard }) => standard)}
          query={query}
        />
      )}
    </>
  )
}
