// `npm start`: sets up a fresh clone, then becomes the node. Arguments after `--` go through.
import { build, install } from './setup.mjs'

// npm can be killed without passing that on; the node stops with it then.
if (process.env.npm_lifecycle_event) process.env.QUOIN_STOP_WITH_PID ??= String(process.ppid)
install()
build()
await import('../dist/src/cli/main.js')
