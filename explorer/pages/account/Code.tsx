import { useMemo, useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { disassemble } from '../../decode/disassemble.ts'
import { formatBytes, formatCount } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Empty, Waiting } from '../../parts/Notes.tsx'
import { Text } from '../../parts/Text.tsx'

const step = 500

/** The code of a contract as instructions, and as bytes. */
export function Code({ code }: { code: Hex | undefined }) {
  const [shown, setShown] = useState(step)
  const instructions = useMemo(() => (code === undefined ? undefined : disassemble(code)), [code])
  if (!instructions || code === undefined)
    return (
      <Card title="Code">
        <Waiting lines={8} />
      </Card>
    )
  if (instructions.length === 0)
    return (
      <Card title="Code">
        <Empty>There is no code at this block.</Empty>
      </Card>
    )
  return (
    <Card
      title="Code"
      side={
        <span class="soft number">
          {formatBytes((code.length - 2) / 2)} <Copy text={code} what="code" />
        </span>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
      <section class="pane" tabIndex={0} aria-label="Instructions">
        <ol class="code mono">
          {instructions.slice(0, shown).map(({ pc, name, operand }) => (
            <li key={pc}>
              <span class="soft">{pc.toString(16).padStart(4, '0')}</span> {name}{' '}
              {operand && <span class="operand">{operand}</span>}
            </li>
          ))}
        </ol>
      </section>
      {instructions.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + 10 * step)}>
          {formatCount(instructions.length - shown)} more instructions
        </button>
      )}
      <details>
        <summary>As bytes</summary>
        <Text value={code} code max={1200} />
      </details>
    </Card>
  )
}
