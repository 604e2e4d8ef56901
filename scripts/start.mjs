// `npm start`: sets up a fresh clone, then becomes the node. Arguments after `--` go through.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildProgram, install, root } from './setup.mjs'

// npm can be killed without passing that on; the node stops with it then.
if (process.env.npm_lifecycle_event) process.env.QUOIN_STOP_WITH_PID ??= String(process.ppid)
await install()
await buildProgram()
await import(pathToFileURL(join(root, 'dist/bundle/cli/main.cjs')).href)
