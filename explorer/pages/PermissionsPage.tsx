import { type Hex, isAddress } from 'viem'
import { useSite } from '../data/session.ts'
import { useLoad } from '../data/useLoad.ts'
import { Card } from '../parts/Card.tsx'
import { AddressLink } from '../parts/Links.tsx'
import { Empty, Failed, Waiting } from '../parts/Notes.tsx'
import { Text } from '../parts/Text.tsx'

function Allowlist({ title, method, empty }: { title: string; method: string; empty: string }) {
  const { ask, node } = useSite()
  const { value, error } = useLoad(`${method} ${node.path}`, () => ask<readonly string[]>(method))
  return (
    <Card title={title} side={<span class="soft number">{value?.length ?? ''}</span>}>
      {error ? (
        <Failed error={error} what="This list" />
      ) : !value ? (
        <Waiting lines={3} />
      ) : (
        value.length === 0 && <Empty>{empty}</Empty>
      )}
      <ul class="plain">
        {value?.map((entry) => (
          <li key={entry}>
            {isAddress(entry, { strict: false }) ? (
              <AddressLink address={entry as Hex} full />
            ) : (
              <Text value={entry} code />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Allowlists of accounts and nodes, where PERM is served. */
export function PermissionsPage() {
  return (
    <>
      <h1>Permissions</h1>
      <Allowlist title="Accounts" method="perm_getAccountsAllowlist" empty="No account may send transactions." />
      <Allowlist title="Nodes" method="perm_getNodesAllowlist" empty="No node may connect." />
    </>
  )
}
