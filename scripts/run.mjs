// Runs one of the project's tools (bench, conformance …) from its compiled form: `node scripts/run.mjs bench/main ARGS`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, install, root } from './setup.mjs'

install()
build()
const [tool, ...args] = process.argv.slice(2)
const child = spawn(process.execPath, [join(root, 'dist', `${tool}.js`), ...args], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
