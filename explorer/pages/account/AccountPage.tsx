import { useEffect, useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { contracts } from '../../data/contracts.ts'
import { useHead } from '../../data/head.ts'
import { remember } from '../../data/recent.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { precompileOf } from '../../decode/precompiles.ts'
import { checksummed } from '../../format/checksummed.ts'
import { shorten } from '../../format/shorten.ts'
import { Hash } from '../../parts/Links.tsx'
import { Tabs } from '../../parts/Tabs.tsx'
import { Text } from '../../parts/Text.tsx'
import { AccountFacts } from './AccountFacts.tsx'
import { AccountTxs } from './AccountTxs.tsx'
import { BalanceChart } from './BalanceChart.tsx'
import { BlockSlider } from './BlockSlider.tsx'
import { Code } from './Code.tsx'
import { ContractCalls } from './ContractCalls.tsx'
import { FurtherTab, furtherTabs } from './FurtherTabs.tsx'
import { Sources } from './Sources.tsx'
import { Storage } from './Storage.tsx'
import { Variables } from './Variables.tsx'

/** An account or contract, at the head or at any block before. */
export function AccountPage({ address, tab, query }: { address: Hex; tab: string; query: URLSearchParams }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  // An address with a wrong checksum is shown in the right one: nothing is sent there from here.
  const shown = checksummed(address)
  const [at, setAt] = useState<number>()
  const block = at === undefined ? 'latest' : (`0x${at.toString(16)}` as const)
  const { value: code } = useLoad(
    `code ${node.path} ${address} ${block}`,
    () => ask<Hex>('eth_getCode', [address, block]),
    at === undefined && head,
  )
  const isContract = code !== undefined && code !== '0x'
  const known = isContract ? contracts.of(shown) : undefined
  const precompile = precompileOf(shown)
  useEffect(() => remember(`address/${shown}`, `Account ${shorten(shown)}`), [shown])
  const route = `address/${shown}`
  return (
    <>
      <header class="title">
        <h1>
          {precompile ? `Precompiled contract ${precompile}` : isContract ? 'Contract' : 'Account'}
          {known?.name && (
            <>
              {' '}
              <Text value={known.name} max={60} />
            </>
          )}
        </h1>
        <Hash hex={shown} what="address" full />
      </header>
      <BlockSlider head={head} at={at} setAt={setAt} />
      <AccountFacts address={shown} block={block} code={code} fresh={at === undefined && head} />
      <Tabs
        label="Parts of this account"
        current={tab}
        tabs={[
          { name: 'transactions', title: 'Transactions', route },
          ...furtherTabs(route, isContract, tab),
          { name: 'balance', title: 'Balance over time', route: `${route}/balance` },
          ...(isContract || tab === 'calls'
            ? [{ name: 'calls', title: 'Read and write', route: `${route}/calls` }]
            : []),
          ...(isContract || tab === 'code' ? [{ name: 'code', title: 'Code', route: `${route}/code` }] : []),
          ...(isContract || tab === 'storage'
            ? [{ name: 'storage', title: 'Storage', route: `${route}/storage` }]
            : []),
        ]}
      />
      {tab === 'transactions' && <AccountTxs address={shown} query={query} />}
      <FurtherTab tab={tab} address={shown} query={query} />
      {tab === 'balance' && <BalanceChart address={shown} />}
      {tab === 'calls' && <ContractCalls address={shown} block={block} />}
      {tab === 'code' && (
        <>
          {isContract && <Sources address={shown} />}
          <Code code={code} />
        </>
      )}
      {tab === 'storage' && (
        <>
          <Variables address={shown} block={block} />
          <Storage address={shown} block={block} />
        </>
      )}
    </>
  )
}
