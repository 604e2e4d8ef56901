import type { Io } from './io.ts'
import type { ProgressBarOptions } from './progressBar.ts'

/** Progress goes where people look: a bar to a terminal, else lines to the log. */
export function progressOutput(title: string, io: Io): ProgressBarOptions {
  const terminal = process.stderr.isTTY === true
  const write = terminal ? io.stderr : io.stdout
  return { title, terminal, columns: io.columns, write, now: () => performance.now() }
}
