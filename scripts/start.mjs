// `npm start`: sets up a fresh clone, then becomes the node. Arguments after `--` go through.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, install, root } from './setup.mjs'

install()
build()
const node = spawn(process.execPath, [join(root, 'bin/quoin'), ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => node.kill(signal))
node.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
