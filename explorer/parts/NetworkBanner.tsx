import { useMemo } from 'preact/hooks'
import type { Hex } from 'viem'
import { useNow } from '../data/clock.ts'
import { useNetworkState } from '../data/networkState.ts'
import { formatSpan } from '../format/times.ts'
import { AddressLink } from './Links.tsx'
import { Text } from './Text.tsx'

/** Problems that are shown at once. */
const shown = 4

/** Says on every page what is wrong with the network; nothing where nothing is. */
export function NetworkBanner() {
  const { state, silentSince } = useNetworkState()
  if (silentSince !== undefined) return <ServerGone since={silentSince} />
  if (!state || state.level === 'ok') return null
  const problems = state.problems ?? [{ code: state.status, level: state.level, text: unseen[state.level], advice: '' }]
  const isError = state.level === 'error'
  return (
    <section class={`banner ${state.level}`} aria-label="State of the network">
      <Announced urgent={isError} what={problems.map(({ code }) => code).join()} text={problems[0]?.text ?? ''} />
      <ul>
        {problems.slice(0, shown).map(({ code, level, text, advice }, i) => (
          <li key={`${code} ${i}`} class={level}>
            <strong>
              <Sentence text={text} />
            </strong>
            {advice && (
              <span class="advice">
                <Sentence text={advice} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {problems.length > shown && (
        <details>
          <summary>{problems.length - shown} more</summary>
          <ul>
            {problems.slice(shown).map(({ code, text }, i) => (
              <li key={`${code} ${i}`}>
                <Sentence text={text} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const unseen = {
  error: 'The network or this node has a problem; users who may call NET see which.',
  warning: 'Something needs attention; users who may call NET see what.',
} as const

function ServerGone({ since }: { since: number }) {
  const now = useNow()
  return (
    <section class="banner error" aria-label="State of the network">
      <Announced urgent what="server" text="This page gets no answer from its server" />
      <strong>This page gets no answer from its server for {formatSpan(now - since / 1000)}.</strong>
      <span class="advice">
        What is shown is old. The process or its machine hangs, is stopped, or cannot be reached.
      </span>
    </section>
  )
}

/** What a screen reader says: once for each kind of problem, and not again with each second. */
function Announced({ urgent, what, text }: { urgent: boolean; what: string; text: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text changes with each second.
  const said = useMemo(() => text, [what])
  return (
    <span class="visually-hidden" role={urgent ? 'alert' : 'status'}>
      {said}
    </span>
  )
}

/** A sentence of the node with a capital in front and links in place of addresses. What peers said in it is text. */
function Sentence({ text }: { text: string }) {
  const capital = /^(0x|node\d)/.test(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  const parts = capital.split(/(0x[0-9a-f]{40})(?![0-9a-f])/)
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 1 ? (
          <AddressLink key={i} address={part as Hex} copy={false} />
        ) : (
          <Text key={i} value={part} max={300} />
        ),
      )}
    </>
  )
}
