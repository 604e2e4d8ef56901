import { useState } from 'preact/hooks'
import { formatCount } from '../../format/numbers.ts'

const settleMs = 150

/** Chooses the block at which the state is shown; undefined is the head. */
export function BlockSlider({
  head,
  at,
  setAt,
}: {
  head: number | undefined
  at: number | undefined
  setAt: (block: number | undefined) => void
}) {
  const [moving, setMoving] = useState<number>()
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>()
  const max = head ?? 0
  const value = Math.min(moving ?? at ?? max, max)
  function move(block: number): void {
    setMoving(block)
    clearTimeout(timer)
    setTimer(
      setTimeout(() => {
        setMoving(undefined)
        setAt(block >= max ? undefined : block)
      }, settleMs),
    )
  }
  return (
    <div class="slider">
      <label>
        State at block
        <input
          type="range"
          min={0}
          max={max}
          value={value}
          onInput={(event) => move(Number(event.currentTarget.value))}
        />
      </label>
      <label>
        <span class="visually-hidden">Number of the block</span>
        <input
          type="number"
          class="number"
          min={0}
          max={max}
          value={value}
          onChange={(event) => move(Math.max(0, Math.min(max, Number(event.currentTarget.value) || 0)))}
        />
      </label>
      <button type="button" class="button small" disabled={at === undefined} onClick={() => setAt(undefined)}>
        {at === undefined ? 'At the head' : `Back to the head (${formatCount(max)})`}
      </button>
    </div>
  )
}
