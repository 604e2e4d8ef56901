// Brings a clone to a state in which a command can run: dependencies installed, WebAssembly and JavaScript built, each only
// when something changed. Uses only what Node ships, because it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Says on standard error what takes time, and afterwards how long it took. */
export async function announce(what, action) {
  process.stderr.write(`${what} …\n`)
  const start = performance.now()
  await action()
  process.stderr.write(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`)
}

/** Runs a program in the project's folder and stops this process with its exit code if it fails. */
function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * How npm is started. The npm that runs this script names its own file, which Node can run on every system; without it, Windows
 * has npm as a batch file, which only a shell may start.
 */
export function npmCommand(env = process.env, platform = process.platform) {
  const own = env.npm_execpath
  if (own && /npm-cli\.c?js$/.test(own)) return { program: process.execPath, args: [own], shell: false }
  return platform === 'win32'
    ? { program: 'npm.cmd', args: [], shell: true }
    : { program: 'npm', args: [], shell: false }
}

/** Whether `stamp` holds this digest, so that what it stands for need not be made again. */
function isFresh(stamp, digest) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
}

/** Installs what package-lock.json names, once per version of that file. */
export async function install() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const stamp = join(root, 'node_modules', '.quoin-lock')
  if (isFresh(stamp, lock)) return
  // Not `npm ci`: it removes node_modules first, which may be that of a node that runs, and fetches everything again.
  const { program, args, shell } = npmCommand()
  const all = [...args, 'install', '--no-save', '--no-fund', '--no-audit', '--loglevel=error']
  // A shell gets one line: Node warns of arguments that it would only join. What npm says of its success is not asked for.
  const [command, rest] = shell ? [[program, ...all].join(' '), []] : [program, all]
  await announce('Installing dependencies', () => run(command, rest, { shell, stdio: ['ignore', 'ignore', 2] }))
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, lock)
}

/** Builds what `npm start` runs: the WebAssembly modules, the pages, and the program as a bundle without its tests. */
export async function buildProgram() {
  const { buildWasm } = await import('./buildWasm.mjs')
  await buildWasm()
  await buildPages()
  const out = join(root, 'dist/bundle')
  const stamp = join(root, 'dist/.bundle-stamp')
  const digest = digestOf(['src', 'scripts'], (name) => !name.endsWith('.test.ts'))
  if (isFresh(stamp, digest)) return
  await announce('Building Quoin', async () => {
    const { bundle } = await import('./bundle.mjs')
    rmSync(stamp, { force: true })
    await bundle(out)
  })
  writeFileSync(stamp, digest)
}

/** Builds the pages of the explorer. */
async function buildPages() {
  const stamp = join(root, 'build/.explorer-stamp')
  const digest = digestOf(['explorer', 'scripts'], (name) => !name.endsWith('.test.ts'))
  if (isFresh(stamp, digest)) return
  await announce('Building the explorer', async () => {
    const { buildExplorer } = await import('./buildExplorer.mjs')
    rmSync(stamp, { force: true })
    await buildExplorer()
  })
  writeFileSync(stamp, digest)
}

/** Builds everything: the program, and with tsc, which checks the types, all modules with tests, benches and tools. */
export async function buildAll() {
  await buildProgram()
  const stamp = join(root, 'dist/.stamp')
  const digest = digestOf(['src', 'test', 'bench', 'scripts', 'explorer'], () => true)
  if (isFresh(stamp, digest)) return
  const tsc = 'node_modules/typescript/bin/tsc'
  await announce('Compiling modules, tests and tools', () => run(process.execPath, [tsc]))
  await announce('Checking the types of the explorer', () => run(process.execPath, [tsc, '-p', 'explorer']))
  writeFileSync(stamp, digest)
  // Both builds are of the same sources now: bin/quoin takes the one that was made last.
  const now = new Date()
  utimesSync(join(root, 'dist/bundle/cli/main.cjs'), now, now)
}

/** Digest of names, sizes and times of sources, and of the settings that decide what they are compiled to. */
function digestOf(folders, wanted) {
  const hash = createHash('sha256')
  const add = (path) => {
    const { size, mtimeMs } = statSync(join(root, path))
    // Copies have the same times only to the millisecond.
    hash.update(`${path} ${size} ${Math.round(mtimeMs)}\n`)
  }
  for (const path of ['package.json', 'package-lock.json', 'tsconfig.json']) add(path)
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder), { recursive: true }).map(String).sort())
      if (/\.(tsx?|mjs|css|html|svg)$/.test(name) && wanted(name)) add(join(folder, name))
  return hash.digest('hex')
}
