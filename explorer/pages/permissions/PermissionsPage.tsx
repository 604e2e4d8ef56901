import { useState } from 'preact/hooks'
import { useSite } from '../../data/session.ts'
import { Card } from '../../parts/Card.tsx'
import { explain } from '../../parts/Notes.tsx'
import { Allowlist } from './Allowlist.tsx'
import { Contracts } from './Contracts.tsx'

/** Allowlists of accounts and nodes, and the contracts that decide, where PERM is served; who may, changes the lists. */
export function PermissionsPage() {
  const [version, setVersion] = useState(0)
  return (
    <>
      <h1>Permissions</h1>
      <Allowlist kind="accounts" fresh={version} />
      <Allowlist kind="nodes" fresh={version} />
      <Reload onReloaded={() => setVersion(version + 1)} />
      <Contracts />
    </>
  )
}

function Reload({ onReloaded }: { onReloaded: () => void }) {
  const { ask } = useSite()
  const [outcome, setOutcome] = useState('')
  async function reload(): Promise<void> {
    try {
      await ask('perm_reloadPermissionsFromFile')
      setOutcome('The lists are those of the file now.')
      onReloaded()
    } catch (error) {
      setOutcome(explain(error as Error))
    }
  }
  return (
    <Card title="Permissions file">
      <p class="soft">
        Changes here are written to the node's permissions file. After it was changed by hand, the node reads it again:
      </p>
      <div class="buttons">
        <button type="button" class="button" onClick={reload}>
          Read the file again
        </button>
        <span class="outcome" role="status">
          {outcome}
        </span>
      </div>
    </Card>
  )
}
