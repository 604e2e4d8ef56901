import { processIo } from './io.ts'
import { runCli } from './runCli.ts'

// Libraries skip development checks in production; the node is loaded after this.
process.env.NODE_ENV ??= 'production'

process.exitCode = await runCli(process.argv.slice(2), processIo())
