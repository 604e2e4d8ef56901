// Runs one of the project's tools (bench, conformance …) from its compiled form: `node scripts/run.mjs bench/main ARGS`.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildAll, install, root } from './setup.mjs'

await install()
await buildAll()
const [tool] = process.argv.splice(2, 1)
await import(pathToFileURL(join(root, 'dist', `${tool}.js`)).href)
