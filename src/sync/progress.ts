import type { Clock } from '../primitives/clock.ts'

/** How fast a node catches up; the figures are those of the last seconds. */
export interface SyncProgress {
  readonly current: bigint
  readonly highest: bigint
  readonly blocksPerSecond: number
  readonly gasPerSecond: number
  /** Seconds; undefined while nothing comes in. */
  readonly left: number | undefined
}

interface Sample {
  readonly at: number
  readonly blocks: number
  readonly gas: number
}

/** Milliseconds that the figures look back. */
const span = 10_000

/** Measures the import of blocks. */
export function createProgressMeter(clock: Clock) {
  let samples: Sample[] = [{ at: clock.now(), blocks: 0, gas: 0 }]

  return {
    add(blocks: number, gas: number): void {
      const last = samples.at(-1)!
      const now = clock.now()
      samples.push({ at: now, blocks: last.blocks + blocks, gas: last.gas + gas })
      // One sample from before the span stays: rates are measured from it.
      const first = samples.findIndex(({ at }) => now - at <= span)
      if (first > 1) samples = samples.slice(first - 1)
    },
    at(current: bigint, highest: bigint): SyncProgress {
      const first = samples[0]!
      const last = samples.at(-1)!
      const seconds = Math.max(clock.now() - first.at, 1) / 1000
      const blocksPerSecond = (last.blocks - first.blocks) / seconds
      const left = blocksPerSecond > 0 ? Number(highest - current) / blocksPerSecond : undefined
      return { current, highest, blocksPerSecond, gasPerSecond: (last.gas - first.gas) / seconds, left }
    },
  }
}
