import { createEnd } from './endProcess.ts'
import { processIo } from './io.ts'
import { runCli } from './runCli.ts'
import { stopWithParent } from './stopWithParent.ts'

/** Milliseconds that a command which has failed gets to write its last words. */
const grace = 1000

// Libraries skip development checks in production; the node is loaded after this.
process.env.NODE_ENV ??= 'production'

async function main(): Promise<void> {
  stopWithParent(process.env, createEnd(1))
  process.exitCode = await runCli(process.argv.slice(2), processIo())
  // Whatever still keeps the process alive, after a failure nothing of it may go on.
  if (process.exitCode !== 0) setTimeout(() => process.exit(), grace).unref()
}

void main()
