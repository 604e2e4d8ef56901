import type { Io } from './io.ts'
import type { ProgressBarOptions } from './progressBar.ts'

/** Shows progress as a bar on a terminal, else as lines. */
export function progressOutput(title: string, io: Io): ProgressBarOptions {
  const terminal = process.stderr.isTTY === true
  const write = terminal ? io.stderr : io.stdout
  return { title, terminal, columns: io.columns, write, now: () => performance.now() }
}
