import { useState } from 'preact/hooks'
import { decodeCall } from '../../data/abiStore.ts'
import type { Transaction } from '../../data/objects.ts'
import { precompileOf } from '../../decode/precompiles.ts'
import { isPrivateMarker } from '../../decode/privateMarker.ts'
import { formatBytes } from '../../format/numbers.ts'
import { AbiForm } from '../../parts/AbiForm.tsx'
import { Card } from '../../parts/Card.tsx'
import { DecodedValues } from '../../parts/DecodedValues.tsx'
import { Text } from '../../parts/Text.tsx'

/** The input of a transaction, decoded where an ABI is known. */
export function Input({ tx }: { tx: Transaction }) {
  const [, setGiven] = useState(0)
  if (tx.input === '0x') return null
  if (isPrivateMarker(tx))
    return (
      <Card title="Input">
        <p class="soft">
          This transaction marks a private one. It calls nothing: its data is the key under which the parties find the
          payload.
        </p>
        <Text value={tx.input} code max={140} />
      </Card>
    )
  const precompile = precompileOf(tx.to)
  const decoded = tx.to && !precompile ? decodeCall(tx.to, tx.input, tx.blockNumber ?? 'latest') : undefined
  return (
    <Card title="Input" side={<span class="soft number">{formatBytes((tx.input.length - 2) / 2)}</span>}>
      {decoded && <DecodedValues decoded={decoded} token={tx.to ?? undefined} />}
      {precompile && <p>For the precompiled contract {precompile}.</p>}
      {!decoded && !precompile && tx.to && <AbiForm address={tx.to} onKept={() => setGiven((count) => count + 1)} />}
      <details open={!decoded}>
        <summary>As bytes</summary>
        <Text value={tx.input} code max={600} />
      </details>
    </Card>
  )
}
