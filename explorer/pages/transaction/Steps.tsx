import { useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { type Step, stepsOfFrame } from '../../decode/stepsOfFrame.ts'
import { formatCount } from '../../format/numbers.ts'
import { Empty, Failed, Waiting } from '../../parts/Notes.tsx'

const around = 8

/** One frame of a transaction, opcode by opcode, with stack, memory and storage. */
export function Steps({ hash, path }: { hash: Hex; path: readonly number[] }) {
  const { ask } = useSite()
  const [at, setAt] = useState(0)
  const { value, error } = useLoad(`steps ${hash} ${path.join('.')}`, async () => {
    const { structLogs } = await ask<{ structLogs: readonly Step[] }>('debug_traceTransaction', [hash, {}])
    return stepsOfFrame(structLogs, path)
  })
  if (error) return <Failed error={error} what="The steps" />
  if (!value) return <Waiting lines={4} />
  const current = value[at]
  if (!current)
    return <Empty>This call ran no code: its receiver is an account without code, or a precompiled contract.</Empty>
  const first = Math.max(0, Math.min(at - around, value.length - 2 * around - 1))
  return (
    <div class="steps">
      <label>
        Step {formatCount(at + 1)} of {formatCount(value.length)}
        <input
          type="range"
          min={0}
          max={value.length - 1}
          value={at}
          onInput={(event) => setAt(Number(event.currentTarget.value))}
        />
      </label>
      <div class="buttons">
        <button type="button" class="button" disabled={at === 0} onClick={() => setAt(at - 1)}>
          ← Back
        </button>
        <button type="button" class="button" disabled={at === value.length - 1} onClick={() => setAt(at + 1)}>
          Next →
        </button>
      </div>
      <div class="machine">
        <ol class="ops mono" aria-label="Instructions">
          {value.slice(first, first + 2 * around + 1).map((step, i) => (
            <li key={first + i} aria-current={first + i === at ? 'step' : undefined}>
              <button type="button" class="link" onClick={() => setAt(first + i)}>
                <span class="soft">{step.pc.toString().padStart(5, ' ')}</span> {step.op}
              </button>
              <span class="soft number">{formatCount(step.gasCost)} gas</span>
            </li>
          ))}
        </ol>
        <Words title="Stack, top first" words={[...(current.stack ?? [])].reverse()} />
        <Words title="Memory" words={current.memory ?? []} />
        <Words
          title="Storage"
          words={Object.entries(current.storage ?? {}).map(([slot, word]) => `${strip(slot)} = ${strip(word)}`)}
        />
      </div>
    </div>
  )
}

const strip = (word: string) => word.replace(/^(0x)?0*(?=.)/, '')
const maxWords = 64

function Words({ title, words }: { title: string; words: readonly string[] }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {words.length === 0 ? (
        <p class="soft">empty</p>
      ) : (
        <ol class="words mono" start={0}>
          {words.slice(0, maxWords).map((word, i) => (
            <li key={i} class="wrap">
              {word}
            </li>
          ))}
        </ol>
      )}
      {words.length > maxWords && <p class="soft">{formatCount(words.length - maxWords)} more</p>}
    </section>
  )
}
