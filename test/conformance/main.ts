import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { type Options, readOptions, UsageError, usage } from './options.ts'
import { createTally } from './tally.ts'
import type { Report, Task } from './worker.ts'

/** Runs the suites on `jobs` threads, each of which goes through its share of every suite. */
async function run(options: Options): Promise<boolean> {
  // Threads inherit it.
  process.env['QUOIN_READERS'] = String(options.readers)
  const tally = createTally(options.suites, options.jobs)
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

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (!options) {
    process.stdout.write(usage)
    return 0
  }
  if (!existsSync(options.data)) throw new UsageError(`There is no folder ${options.data}; name one with --data.`)
  return (await run(options)) ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(error.message + '\n')
  process.exitCode = 2
}
