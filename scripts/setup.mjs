// Brings a fresh clone to a state in which a command can run: dependencies installed, WebAssembly and JavaScript built.
// Uses only what Node ships, because it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Runs a program in the project's folder and stops this process with its exit code if it fails. */
export function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Installs what package-lock.json names, once per version of that file. */
export function install() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const stamp = join(root, 'node_modules', '.quoin-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  process.stderr.write('Installing dependencies …\n')
  // Not `npm ci`: it refuses a lock file made where a registry lacked some other platform's optional binaries.
  const args = ['install', '--no-save', '--no-fund', '--no-audit', '--loglevel=error']
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { stdio: ['ignore', 2, 2] })
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, lock)
}

/** Compiles AssemblyScript, then TypeScript; both are incremental, so that a second call costs little. */
export function build() {
  run(process.execPath, ['scripts/buildWasm.mjs'])
  run(process.execPath, ['node_modules/typescript/bin/tsc'], { stdio: ['ignore', 2, 2] })
  removeStale()
}

/** Removes compiled files whose source is gone: the package must not ship them. */
function removeStale() {
  const out = join(root, 'dist')
  for (const name of readdirSync(out, { recursive: true }).map(String))
    if (name.endsWith('.js') && !existsSync(join(root, name.replace(/\.js$/, '.ts')))) rmSync(join(out, name))
}
