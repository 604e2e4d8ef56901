import { useState } from 'preact/hooks'
import { abisFor } from '../../data/abiStore.ts'
import type { Log } from '../../data/objects.ts'
import { decodeLog } from '../../decode/decodeLog.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { DecodedValues } from '../../parts/DecodedValues.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Empty } from '../../parts/Notes.tsx'
import { Text } from '../../parts/Text.tsx'

const step = 50

function LogItem({ log, block }: { log: Log; block: string }) {
  const decoded = decodeLog(log, abisFor(log.address, block))
  return (
    <li>
      <div class="pair">
        <span class="soft number">{Number(log.logIndex)}</span>
        <AddressLink address={log.address} />
      </div>
      {decoded ? (
        <DecodedValues decoded={decoded} token={log.address} />
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

/** Logs of a transaction, decoded where an ABI is known. */
export function Logs({ logs, block, title = 'Logs' }: { logs: readonly Log[]; block: string; title?: string }) {
  const [shown, setShown] = useState(step)
  return (
    <Card title={title} side={<span class="soft number">{formatCount(logs.length)}</span>}>
      {logs.length === 0 && <Empty>The transaction emitted no events.</Empty>}
      <ol class="logs">
        {logs.slice(0, shown).map((log) => (
          <LogItem key={log.logIndex} log={log} block={block} />
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
