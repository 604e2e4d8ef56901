import type { Clock } from '../system/clock.ts'

/** How fast a node catches up, measured over the last seconds. */
export interface SyncProgress {
  readonly current: bigint
  readonly highest: bigint
  readonly blocksPerSecond: number
  readonly gasPerSecond: number
  /** Seconds to go; undefined while nothing is imported. */
  readonly left: number | undefined
}

interface Sample {
  readonly at: number
  readonly blocks: number
  readonly gas: number
}

/** Milliseconds that the figures look back. */
const span = 10_000

/** Measures how fast blocks are imported. */
export interface ProgressMeter {
  /** Counts imported blocks and their gas. */
  add(blocks: number, gas: number): void
  /** The progress of a node whose head is `current` and whose best peer is at `highest`. */
  at(current: bigint, highest: bigint): SyncProgress
}

/** A meter that starts now. */
export function createProgressMeter(clock: Clock): ProgressMeter {
  let samples: Sample[] = [{ at: clock.now(), blocks: 0, gas: 0 }]

  return {
    add(blocks, gas) {
      const last = samples.at(-1)!
      const now = clock.now()
      samples.push({ at: now, blocks: last.blocks + blocks, gas: last.gas + gas })
      // One sample from before the span stays: rates are measured from it.
      const first = samples.findIndex(({ at }) => now - at <= span)
      if (first > 1) samples = samples.slice(first - 1)
    },
    at(current, highest) {
      const first = samples[0]!
      const last = samples.at(-1)!
      const seconds = Math.max(clock.now() - first.at, 1) / 1000
      const blocksPerSecond = (last.blocks - first.blocks) / seconds
      const left = blocksPerSecond > 0 ? Number(highest - current) / blocksPerSecond : undefined
      return { current, highest, blocksPerSecond, gasPerSecond: (last.gas - first.gas) / seconds, left }
    },
  }
}
