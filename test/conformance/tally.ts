import type { Progress, Tally } from '../support/runCampaign.ts'
import type { Report } from './worker.ts'

const shownFailures = 50

/** The verdicts of one suite over all workers. */
export interface SuiteTally {
  passed: number
  failed: number
  excluded: Map<string, number>
  missing: string | undefined
  /** Workers that are not through yet. */
  running: number
}

/** Adds up what the workers report and prints it. */
export interface SuitesTally {
  add(report: Report): void
  /** A worker ended in the middle of its work. */
  lost(reason: string): void
  /** Says what the suites did not tell, and adds all of them up. */
  close(): Tally
}

export function createSuiteTally(suites: readonly string[], workers: number, { print, show }: Progress): SuitesTally {
  const tallies = new Map<string, SuiteTally>()
  for (const suite of suites)
    tallies.set(suite, { passed: 0, failed: 0, excluded: new Map(), missing: undefined, running: workers })
  const started = Date.now()
  let shown = 0
  let lost = 0

  const sum = (field: 'passed' | 'failed') => [...tallies.values()].reduce((n, tally) => n + tally[field], 0)
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`

  function finish(suite: string, tally: SuiteTally): void {
    if (tally.missing !== undefined) print(`${suite}: data are missing: ${tally.missing}`)
    for (const [reason, count] of tally.excluded) print(`${suite}: ${count} not applicable: ${reason}`)
    print(`${suite}: ${tally.passed} passed, ${tally.failed} failed, after ${seconds()}`)
  }

  return {
    add({ suite, passed, failures, excluded, lines, done, missing }) {
      const tally = tallies.get(suite)!
      tally.passed += passed
      tally.failed += failures.length
      tally.missing ??= missing
      for (const line of lines) print(line)
      for (const { name, reason } of failures) if (shown++ < shownFailures) print(`FAILED ${suite} ${name}: ${reason}`)
      for (const { reason } of excluded) tally.excluded.set(reason, (tally.excluded.get(reason) ?? 0) + 1)
      if (done && --tally.running === 0) finish(suite, tally)
      else show(`${suite}: ${tally.passed} passed, ${tally.failed} failed, ${seconds()}`)
    },
    lost(reason) {
      lost++
      print(`FAILED a worker ended early: ${reason}`)
    },
    close() {
      // A suite without data and a worker that died count like a failed case: neither may look like a pass.
      const missing = [...tallies.values()].filter((tally) => tally.missing !== undefined).length
      const passed = sum('passed')
      const failed = sum('failed') + missing + lost
      if (shown > shownFailures) print(`… and ${shown - shownFailures} more failures`)
      if (passed + failed === 0) print('No case was run: nothing fits the filter.')
      return { passed, failed }
    },
  }
}
