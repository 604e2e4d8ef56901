import { useState } from 'preact/hooks'
import { abisFor } from '../../data/abiStore.ts'
import { eventBlocks } from '../../data/groups.ts'
import type { Log } from '../../data/objects.ts'
import { decodeLog } from '../../decode/decodeLog.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { DecodedValues } from '../../parts/DecodedValues.tsx'
import { BlockLink, TxLink } from '../../parts/Links.tsx'
import { Empty, Waiting } from '../../parts/Notes.tsx'
import { PrivateContractLink } from '../../parts/PrivateLinks.tsx'
import { Text } from '../../parts/Text.tsx'

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
  const decoded = decodeLog(log, abisFor(log.address))
  return (
    <li>
      <div class="pair">
        {log.blockNumber && <BlockLink number={Number(log.blockNumber)} />}
        {log.transactionHash && <TxLink hash={log.transactionHash} />}
        <PrivateContractLink group={group} address={log.address} />
      </div>
      {decoded ? (
        <DecodedValues decoded={decoded} />
      ) : (
        <dl class="raw">
          {log.topics.map((topic, i) => (
            <div key={`${i} ${topic}`}>
              <dt>topic {i}</dt>
              <dd class="mono wrap">{topic}</dd>
            </div>
          ))}
          <div>
            <dt>data</dt>
            <dd>
              <Text value={log.data} code max={400} />
            </dd>
          </div>
        </dl>
      )}
    </li>
  )
}
