import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { type Progress, runCampaign, type Tally, UsageError } from '../support/runCampaign.ts'
import { commandLine, type Options, readOptions, usage } from './options.ts'
import { createSuiteTally } from './tally.ts'
import type { Report, Task } from './worker.ts'

/** Runs the suites on `jobs` threads, each of which goes through its share of every suite. */
async function run(options: Options, progress: Progress): Promise<Tally> {
  // Threads inherit it.
  process.env['QUOIN_READERS'] = String(options.readers)
  const tally = createSuiteTally(options.suites, options.jobs, progress)
  const start = (index: number) =>
    new Promise<void>((resolve) => {
      const task: Task = { options, slice: { index, count: options.jobs, every: options.every } }
      const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: task })
      worker.on('message', (report: Report) => tally.add(report))
      worker.on('error', (error) => tally.lost(error.stack ?? error.message))
      worker.on('exit', () => resolve())
    })
  await Promise.all(Array.from({ length: options.jobs }, (_, index) => start(index)))
  return tally.close()
}

await runCampaign({
  usage,
  options: commandLine,
  words: Infinity,
  run({ values, positionals, ...progress }) {
    const options = readOptions(values, positionals)
    if (options && !existsSync(options.data))
      throw new UsageError(`There is no folder ${options.data}; name one with --data.`)
    return options && run(options, progress)
  },
})
