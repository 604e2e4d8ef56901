import type { Hex } from 'viem'
import { abisFor } from '../data/abiStore.ts'
import type { Log } from '../data/objects.ts'
import { decodeLog } from '../decode/decodeLog.ts'
import { DecodedValues } from './DecodedValues.tsx'
import { Text } from './Text.tsx'

/** What a log says: its event where an ABI knows it, else topics and data. */
export function LogValues({
  log,
  block = 'latest',
  token,
}: {
  log: Log
  block?: string
  /** The contract in whose units amounts are, where the public chain has it. */
  token?: Hex | undefined
}) {
  const decoded = decodeLog(log, abisFor(log.address, block))
  if (decoded) return <DecodedValues decoded={decoded} token={token} />
  return (
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
  )
}
