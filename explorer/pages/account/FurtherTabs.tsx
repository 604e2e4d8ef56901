import type { Hex } from 'viem'
import { useSite } from '../../data/session.ts'
import { Card } from '../../parts/Card.tsx'
import { Empty } from '../../parts/Notes.tsx'
import { TransferList } from '../token/TransferList.tsx'
import { AccountTokens } from './AccountTokens.tsx'
import { Events } from './Events.tsx'
import { InternalTxs } from './InternalTxs.tsx'

/** Tabs of an account that come from indexes; those of events of contracts alone. */
export function furtherTabs(route: string, isContract: boolean, current: string) {
  const tabs = [
    { name: 'tokens', title: 'Tokens' },
    { name: 'transfers', title: 'Token transfers' },
    ...(isContract || current === 'events' ? [{ name: 'events', title: 'Events' }] : []),
    { name: 'internal', title: 'Internal' },
  ]
  return tabs.map((tab) => ({ ...tab, route: `${route}/${tab.name}` }))
}

/** What one of these tabs shows. */
export function FurtherTab({ tab, address, query }: { tab: string; address: Hex; query: URLSearchParams }) {
  const { namespaces } = useSite()
  if (!['tokens', 'transfers', 'events', 'internal'].includes(tab)) return null
  if (!namespaces.has('OTS'))
    return (
      <Card title="Not served">
        <Empty>Tokens, events and internal transactions are listed when the node serves the namespace OTS.</Empty>
      </Card>
    )
  if (tab === 'tokens') return <AccountTokens address={address} query={query} />
  if (tab === 'transfers')
    return <TransferList of={{ account: address }} route={`address/${address}/transfers`} query={query} />
  return tab === 'events' ? <Events address={address} query={query} /> : <InternalTxs address={address} query={query} />
}
