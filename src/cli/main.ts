import { processIo } from './io.ts'
import { runCli } from './runCli.ts'

// Libraries check less where they are not being developed; the node itself is loaded after this.
process.env.NODE_ENV ??= 'production'

process.exitCode = await runCli(process.argv.slice(2), processIo())
