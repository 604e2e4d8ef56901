import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tally } from '../support/runCampaign.ts'

export interface StoreFuzzOptions {
  readonly minutes: number
  /** Stops earlier after so many runs. */
  readonly count: number
  readonly seed: number
}

const program = fileURLToPath(new URL('store/main.js', import.meta.url))
/** Blocks of one run: enough for a list of free pages that fills several records. */
const blocks = 900
/** Milliseconds after which a run is taken for hung. */
const patience = 300_000

/** Writes random blocks into stores that are mapped again, closed and opened all the time; true when nothing was lost. */
export function fuzzStore({ minutes, count, seed }: StoreFuzzOptions): Tally {
  const end = performance.now() + minutes * 60_000
  let [passed, failed] = [0, 0]
  for (let at = seed; passed + failed < count && performance.now() < end; at++) {
    const folder = mkdtempSync(join(tmpdir(), 'quoin-fuzz-store-'))
    try {
      const run = spawnSync(process.execPath, [program, folder, String(at), String(blocks)], {
        encoding: 'utf8',
        timeout: patience,
      })
      if (run.status === 0) passed++
      else {
        failed++
        process.stdout.write(`seed ${at}: ${run.signal ?? `exit code ${run.status}`}\n${run.stderr}\n`)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  process.stdout.write(`${passed * blocks} blocks kept\n`)
  return { passed, failed }
}
