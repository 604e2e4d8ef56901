import { createEvm } from '../../../src/evm/createEvm.ts'
import type { ForkName } from '../../../src/forks/table.ts'
import type { Tally } from '../../support/runCampaign.ts'
import type { Extent } from '../extent.ts'
import { judgeEstimate } from './judge.ts'
import { generateCall } from './scenario.ts'

/** Limits that are tried between the gas that was spent and the estimate, beside those near both. */
const points = 100

/**
 * Judges the estimates of random contract calls on all forks; true if each works and none is more than 1.5 % above the
 * least. Calls that fail with all gas have no estimate and do not count.
 */
export function fuzzEstimates({ minutes, count, seed, fork }: Extent & { readonly fork: ForkName | undefined }): Tally {
  const evm = createEvm('exact')
  const end = performance.now() + minutes * 60_000
  const tally = { judged: 0, failed: 0, exact: 0, gaps: 0 }
  for (let at = seed; tally.judged < count && performance.now() < end; at++) {
    const scenario = generateCall(at, fork)
    const verdict = judgeEstimate(evm, scenario, points)
    if (!verdict) continue
    tally.judged++
    if (verdict.estimate === verdict.least) tally.exact++
    if (verdict.gaps) tally.gaps++
    if (verdict.problem === undefined) continue
    tally.failed++
    write(`seed ${at}, ${scenario.fork}: estimate ${verdict.estimate}: ${verdict.problem}`)
  }
  write(
    `${tally.judged} estimates, ${tally.exact} of them the least itself, ${tally.gaps} with larger limits that fail`,
  )
  return { passed: tally.judged - tally.failed, failed: tally.failed }
}

function write(line: string): void {
  process.stdout.write(line + '\n')
}
