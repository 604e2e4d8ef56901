import { useEffect } from 'preact/hooks'
import { type Hex, isAddress } from 'viem'
import { useContracts } from './data/contracts.ts'
import { useNamesOfNode } from './data/names.ts'
import { useRoute } from './data/route.ts'
import { useSite } from './data/session.ts'
import { AccountPage } from './pages/account/AccountPage.tsx'
import { BlockPage } from './pages/block/BlockPage.tsx'
import { BlocksPage } from './pages/block/BlocksPage.tsx'
import { TransactionsPage } from './pages/block/TransactionsPage.tsx'
import { NetworkPage } from './pages/network/NetworkPage.tsx'
import { PoolPage } from './pages/PoolPage.tsx'
import { PermissionsPage } from './pages/permissions/PermissionsPage.tsx'
import { GroupPage } from './pages/private/GroupPage.tsx'
import { GroupsPage } from './pages/private/GroupsPage.tsx'
import { PrivateContractPage } from './pages/private/PrivateContractPage.tsx'
import { SearchPage } from './pages/SearchPage.tsx'
import { TokenPage } from './pages/token/TokenPage.tsx'
import { TokensPage } from './pages/token/TokensPage.tsx'
import { TransactionPage } from './pages/transaction/TransactionPage.tsx'
import { ValidatorsPage } from './pages/validators/ValidatorsPage.tsx'
import { Guard } from './parts/Guard.tsx'
import { Empty } from './parts/Notes.tsx'

const titles: Readonly<Record<string, string>> = {
  blocks: 'Blocks',
  block: 'Block',
  transactions: 'Transactions',
  tx: 'Transaction',
  address: 'Account',
  pool: 'Pool',
  validators: 'Validators',
  tokens: 'Tokens',
  token: 'Token',
  groups: 'Private groups',
  private: 'Private contract',
  permissions: 'Permissions',
  search: 'Search',
}

/** The page that the address bar names. */
export function Page() {
  const { node } = useSite()
  const { parts } = useRoute()
  useNamesOfNode()
  useContracts()
  return (
    <Guard key={`${node.path} ${parts.slice(0, 2).join('/')}`} what="This page">
      <NamedPage />
    </Guard>
  )
}

function NamedPage() {
  const { node } = useSite()
  const {
    parts: [kind = '', name = '', tab = kind === 'token' ? 'transfers' : 'transactions', part],
    query,
  } = useRoute()
  useEffect(() => {
    document.title = `${titles[kind] ?? 'Network'} ${name.slice(0, 20)} · Quoin`
    scrollTo(0, 0)
  }, [kind, name])
  const key = `${node.path} ${name}`
  switch (kind) {
    case '':
      return <NetworkPage key={key} />
    case 'blocks':
      return <BlocksPage key={key} query={query} />
    case 'block':
      return <BlockPage key={key} name={name} query={query} />
    case 'transactions':
      return <TransactionsPage key={key} query={query} />
    case 'tx':
      return <TransactionPage key={key} hash={name} />
    case 'address':
      if (isAddress(name, { strict: false }))
        return <AccountPage key={key} address={name as Hex} tab={tab} query={query} />
      break
    case 'pool':
      return <PoolPage key={key} query={query} />
    case 'validators':
      return <ValidatorsPage key={key} />
    case 'tokens':
      return <TokensPage key={key} query={query} />
    case 'token':
      if (isAddress(name, { strict: false }))
        return <TokenPage key={key} address={name.toLowerCase() as Hex} tab={tab} holder={part} query={query} />
      break
    case 'groups':
      return name === '' ? <GroupsPage key={key} /> : <GroupPage key={key} id={name} />
    case 'private':
      if (isAddress(tab, { strict: false })) return <PrivateContractPage key={key} group={name} address={tab as Hex} />
      break
    case 'permissions':
      return <PermissionsPage key={key} />
    case 'search':
      return <SearchPage key={key} text={name} />
  }
  return (
    <>
      <h1>No such page</h1>
      <Empty>
        There is nothing at this address. <a href="#/">To the network</a>
      </Empty>
    </>
  )
}
