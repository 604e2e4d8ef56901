import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Ends the process, no matter which thread asks, with a sentence on stderr: what cannot go on must not become a result either. */
export function endAtOnce(sentence: string): never {
  try {
    writeSync(2, `Error: ${sentence}\n`)
  } catch {
    // Nobody reads it.
  }
  if (isMainThread) process.exit(1)
  // In a thread `process.exit` ends the thread alone.
  process.kill(process.pid, 'SIGKILL')
  throw new Error(sentence)
}
