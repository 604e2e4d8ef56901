import { useEffect, useState } from 'preact/hooks'
import { useHead } from '../../data/head.ts'
import type { Block } from '../../data/objects.ts'
import { useStatus } from '../../data/status.ts'
import { formatCount, formatShare } from '../../format/numbers.ts'
import { Age } from '../../parts/Age.tsx'
import { Waiting } from '../../parts/Notes.tsx'

const announceMs = 10_000

/** A number that a screen reader announces at most every ten seconds: under load there is a block each second. */
function useSpoken(number: number | undefined): number | undefined {
  const [spoken, setSpoken] = useState<number>()
  useEffect(() => {
    if (number === undefined) return
    if (spoken === undefined) return setSpoken(number)
    const timer = setTimeout(() => setSpoken(number), announceMs)
    return () => clearTimeout(timer)
  }, [number, spoken])
  return spoken
}

/** The head of the chain, live. */
export function HeadCard({ block }: { block: Block | undefined }) {
  const { number } = useHead()
  const { kind, words } = useStatus()
  const spoken = useSpoken(number)
  return (
    <section class="head" aria-label="Head of the chain">
      <div class="headline">
        <span class="caption">
          Block <span class={`liveness ${kind}`}>{words}</span>
        </span>
        <a class="big number" href={number === undefined ? '#/' : `#/block/${number}`} data-head={number}>
          {number === undefined ? <Waiting /> : formatCount(number)}
        </a>
        <span class="visually-hidden" aria-live="polite">
          {spoken === undefined ? '' : `Block ${spoken}`}
        </span>
      </div>
      <Figure caption="Made">{block ? <Age timestamp={Number(block.timestamp)} /> : <Waiting />}</Figure>
      <Figure caption="Transactions">{block ? formatCount(block.transactions.length) : <Waiting />}</Figure>
      <Figure caption="Gas used">
        {block ? formatShare(BigInt(block.gasUsed), BigInt(block.gasLimit)) : <Waiting />}
      </Figure>
    </section>
  )
}

function Figure({ caption, children }: { caption: string; children: preact.ComponentChildren }) {
  return (
    <div class="figure">
      <span class="caption">{caption}</span>
      <span class="value number">{children}</span>
    </div>
  )
}
