import type { Tally } from '../../support/runCampaign.ts'
import type { Extent } from '../extent.ts'
import { createRandom } from '../random.ts'
import { cases } from './cases.ts'

/** Builds what has a limit in bytes at, below and above it, and compares the verdicts with a second implementation; true if none differs. */
export function fuzzSizes({ minutes, count, seed }: Extent): Tally {
  const end = performance.now() + minutes * 60_000
  const kinds = Object.entries(cases)
  let [passed, failed] = [0, 0]
  for (let at = seed; passed + failed < count && performance.now() < end; at++) {
    const [kind, run] = kinds[at % kinds.length]!
    const problem = run(createRandom(at))
    if (problem === undefined) passed++
    else {
      failed++
      process.stdout.write(`seed ${at}, ${kind}: ${problem}\n`)
    }
  }
  process.stdout.write('\n')
  return { passed, failed }
}
