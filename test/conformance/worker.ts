import { parentPort, workerData } from 'node:worker_threads'
import { MissingData, openData, type Slice } from './data.ts'
import { exclusionOf } from './exclusions.ts'
import type { Options } from './options.ts'
import type { Case } from './suite.ts'
import { suiteNamed } from './suites.ts'

/** What a worker is started with. */
export interface Task {
  readonly options: Options
  readonly slice: Slice
}

/** What a worker tells: verdicts since its last report, and when it is through with a suite. */
export interface Report {
  readonly suite: string
  readonly passed: number
  readonly failures: readonly { readonly name: string; readonly reason: string }[]
  readonly excluded: readonly { readonly name: string; readonly reason: string }[]
  /** Lines for `--verbose`. */
  readonly lines: readonly string[]
  readonly done: boolean
  readonly missing?: string
}

const reportMillis = 200

async function runSuite(name: string, { options, slice }: Task): Promise<void> {
  let passed = 0
  let failures: Report['failures'][number][] = []
  let excluded: Report['excluded'][number][] = []
  let lines: string[] = []
  let last = Date.now()
  const report = (end: Partial<Report>) => {
    parentPort!.postMessage({ suite: name, passed, failures, excluded, lines, done: false, ...end } satisfies Report)
    passed = 0
    failures = []
    excluded = []
    lines = []
    last = Date.now()
  }
  try {
    for await (const item of suiteNamed(name)!.cases(openData(options.data, slice), options)) {
      if (options.filter !== undefined && !item.name.includes(options.filter)) continue
      const exclusion = exclusionOf(name, item.name)
      const start = performance.now()
      const failure = exclusion === undefined ? await verdict(item) : undefined
      if (exclusion !== undefined) excluded.push({ name: item.name, reason: exclusion })
      else if (failure === undefined) passed++
      else failures.push({ name: item.name, reason: failure })
      if (options.verbose) lines.push(`${(performance.now() - start).toFixed(1).padStart(8)} ms  ${item.name}`)
      if (Date.now() - last > reportMillis) report({})
    }
    report({ done: true })
  } catch (error) {
    if (!(error instanceof MissingData)) throw error
    report({ done: true, missing: error.message })
  }
}

/** Undefined when the case passes, else why not. */
async function verdict(item: Case): Promise<string | undefined> {
  try {
    await item.run()
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) return String(error)
    // An error that is no verdict is a bug of ours: the place helps.
    return error.name === 'Mismatch' ? error.message : `${error.name}: ${error.message} ${placeOf(error)}`
  }
}

function placeOf(error: Error): string {
  return /\n\s+(at .*)/.exec(error.stack ?? '')?.[1] ?? ''
}

const task = workerData as Task
for (const name of task.options.suites) await runSuite(name, task)
