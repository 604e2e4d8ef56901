import { useState } from 'preact/hooks'
import { eventBlocks } from '../../data/groups.ts'
import type { Log } from '../../data/objects.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { BlockLink, TxLink } from '../../parts/Links.tsx'
import { LogValues } from '../../parts/LogValues.tsx'
import { Empty, Waiting } from '../../parts/Notes.tsx'
import { PrivateContractLink } from '../../parts/PrivateLinks.tsx'

const step = 25

/** A log with the place of the marker of its transaction. */
type PlacedLog = Log & { readonly blockNumber?: string; readonly transactionHash?: `0x${string}` }

/** Events of private contracts, the newest first. */
export function PrivateLogs({ group, logs }: { group: string; logs: readonly PlacedLog[] | undefined }) {
  const [shown, setShown] = useState(step)
  return (
    <Card title="Private events" side={<span class="soft number">{logs ? formatCount(logs.length) : ''}</span>}>
      {!logs && <Waiting lines={3} />}
      {logs?.length === 0 && <Empty>There are none in the last {formatCount(eventBlocks)} blocks.</Empty>}
      <ol class="logs">
        {logs?.slice(0, shown).map((log, i) => (
          <PrivateLog key={`${log.transactionHash} ${log.logIndex} ${i}`} group={group} log={log} />
        ))}
      </ol>
      {logs && logs.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + step)}>
          {formatCount(logs.length - shown)} more
        </button>
      )}
    </Card>
  )
}

function PrivateLog({ group, log }: { group: string; log: PlacedLog }) {
  return (
    <li>
      <div class="pair">
        {log.blockNumber && <BlockLink number={Number(log.blockNumber)} />}
        {log.transactionHash && <TxLink hash={log.transactionHash} />}
        <PrivateContractLink group={group} address={log.address} />
      </div>
      <LogValues log={log} />
    </li>
  )
}
