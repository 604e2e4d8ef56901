import { useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { abisFor } from '../../data/abiStore.ts'
import { actionOf } from '../../data/actionOf.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { type CallFrame, type CallRow, listCalls } from '../../decode/callTree.ts'
import { explainRevert } from '../../decode/revertReason.ts'
import { formatCount } from '../../format/numbers.ts'
import { Ether } from '../../parts/Amount.tsx'
import { Card } from '../../parts/Card.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Failed } from '../../parts/Notes.tsx'
import { Table } from '../../parts/Table.tsx'
import { Text } from '../../parts/Text.tsx'
import { Steps } from './Steps.tsx'

const step = 100
const maxIndent = 12

function Call({ row: { frame, path }, block }: { row: CallRow; block: string }) {
  const reason =
    frame.error && (/revert/i.test(frame.error) ? explainRevert(frame.output, abisFor(frame.to, block)) : frame.error)
  return (
    <span class="call" style={{ paddingInlineStart: `${Math.min(path.length, maxIndent) * 1.25}rem` }}>
      <span class="tag">{frame.type}</span> {frame.to && <AddressLink address={frame.to} copy={false} />}{' '}
      <Text value={actionOf(frame, block)} max={40} />
      {BigInt(frame.value ?? 0) > 0n && (
        <>
          {' '}
          <Ether wei={BigInt(frame.value!)} />
        </>
      )}
      {reason && (
        <>
          {' '}
          <span class="tag bad">failed</span> <Text value={reason} max={200} />
        </>
      )}
    </span>
  )
}

/** What a transaction did as a tree of calls, with the gas of each. */
export function CallTree({ hash, block }: { hash: Hex; block: string }) {
  const { ask } = useSite()
  const [shown, setShown] = useState(step)
  const [chosen, setChosen] = useState<readonly number[]>()
  const { value, error } = useLoad(`trace ${hash}`, async () =>
    listCalls(await ask<CallFrame>('debug_traceTransaction', [hash, { tracer: 'callTracer' }])),
  )
  if (error) return <Failed error={error} what="The trace" />
  const columns = [
    { title: 'Call' },
    { title: 'Gas used', numeric: true },
    { title: 'without its calls', numeric: true, minor: true },
    { title: 'Steps' },
  ]
  const rows = value?.slice(0, shown).map((row) => ({
    key: row.path.join('.'),
    cells: [
      <Call key="call" row={row} block={block} />,
      formatCount(row.gasUsed),
      formatCount(row.ownGas),
      <button
        key="steps"
        type="button"
        class="button small"
        aria-expanded={chosen?.join('.') === row.path.join('.')}
        onClick={() => setChosen(row.path)}
      >
        Step<span class="visually-hidden"> through call {row.path.join('.') || 'of the transaction'}</span>
      </button>,
    ],
  }))
  return (
    <Card
      title="Trace"
      side={
        <span class="soft number">
          {value ? (value.length === 1 ? '1 call' : `${formatCount(value.length)} calls`) : ''}
        </span>
      }
    >
      <Table label="Calls" columns={columns} rows={rows} expected={1} />
      {value && value.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + step)}>
          {formatCount(value.length - shown)} more
        </button>
      )}
      {chosen && <Steps key={chosen.join('.')} hash={hash} path={chosen} />}
    </Card>
  )
}
