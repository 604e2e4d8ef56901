import type { Hex } from 'viem'
import { abisFor } from '../../data/abiStore.ts'
import { decodeInput } from '../../decode/decodeInput.ts'
import { formatBytes } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { DecodedValues } from '../../parts/DecodedValues.tsx'
import { Text } from '../../parts/Text.tsx'

/** What a private transaction asked for; the node gives it to its parties only. */
export function PrivateInput({ to, input }: { to: Hex | null; input: Hex }) {
  if (!input || input === '0x') return null
  const decoded = to ? decodeInput(input, abisFor(to)) : undefined
  return (
    <Card title="Private input" side={<span class="soft number">{formatBytes((input.length - 2) / 2)}</span>}>
      {decoded && <DecodedValues decoded={decoded} />}
      <details open={!decoded}>
        <summary>As bytes</summary>
        <Text value={input} code max={600} />
      </details>
    </Card>
  )
}
