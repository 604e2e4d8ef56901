import { useState } from 'preact/hooks'
import type { Log } from '../../data/objects.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { LogValues } from '../../parts/LogValues.tsx'
import { Empty } from '../../parts/Notes.tsx'
import { PrivateContractLink } from '../../parts/PrivateLinks.tsx'

const step = 50

/** Logs of a transaction, decoded where an ABI is known; those of a private one belong to contracts of its group. */
export function Logs({
  logs,
  block,
  group,
  title = 'Logs',
}: {
  logs: readonly Log[]
  block: string
  group?: string | undefined
  title?: string
}) {
  const [shown, setShown] = useState(step)
  return (
    <Card title={title} side={<span class="soft number">{formatCount(logs.length)}</span>}>
      {logs.length === 0 && <Empty>The transaction emitted no events.</Empty>}
      <ol class="logs">
        {logs.slice(0, shown).map((log) => (
          <li key={log.logIndex}>
            <div class="pair">
              <span class="soft number">{Number(log.logIndex)}</span>
              {group ? (
                <PrivateContractLink group={group} address={log.address} />
              ) : (
                <AddressLink address={log.address} />
              )}
            </div>
            <LogValues log={log} block={block} token={group ? undefined : log.address} />
          </li>
        ))}
      </ol>
      {logs.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + step)}>
          {formatCount(logs.length - shown)} more
        </button>
      )}
    </Card>
  )
}
