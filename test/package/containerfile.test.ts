import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { freePort } from '../support/freePort.ts'
import { withTempFolder } from '../support/tempStore.ts'

const linesOf = (file: string) =>
  readFileSync(join(packageRoot, file), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))

const ignored = linesOf('.dockerignore')

/** Whether a path gets into the build: the last line that it, or a folder that it lies in, matches decides. */
function isInContext(path: string): boolean {
  const covers = (pattern: string) => pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)
  const last = ignored.findLast((line) => covers(line.replace('!', '')))
  return last === undefined || last.startsWith('!')
}

/** What a build sees of a folder. */
function copyContext(from: string, to: string): void {
  const above = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  for (const name of readdirSync(from)) {
    // A folder that is left out may hold something that is not.
    if (!isInContext(name) && !above.some((path) => path.startsWith(`${name}/`))) continue
    cpSync(join(from, name), join(to, name), {
      recursive: true,
      // The build takes what is built if it was made of files of this time.
      preserveTimestamps: true,
      filter: (path) => statSync(path).isDirectory() || isInContext(path.slice(from.length + 1)),
    })
  }
}

/** Where the machine has the folders of its stages, and what a path of one of them is there. */
type Place = (path: string) => string

interface Locked {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>
}

/** The packages that `npm prune --omit=dev` leaves, as the lock says. */
function copyPackages(to: string): void {
  const { packages } = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as Locked
  const kept = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional)
  // Those for other platforms are not installed.
  for (const [path] of kept)
    if (path && existsSync(join(packageRoot, path)))
      cpSync(join(packageRoot, path), join(to, path), {
        recursive: true,
        filter: (file) => basename(file) !== 'node_modules',
      })
}

/**
 * What the steps of the file do to folders, without a builder: installed packages are those of this clone, as are the WebAssembly modules
 * and the explorer, which take a minute to build; that is, if the context has all their sources: otherwise they are built.
 */
const steps: Readonly<Record<string, (stage: string) => void>> = {
  'npm ci': (stage) => symlinkSync(join(packageRoot, 'node_modules'), join(stage, 'node_modules')),
  'npm run build -- --program': (stage) => {
    cpSync(join(packageRoot, 'build'), join(stage, 'build'), { recursive: true })
    execFileSync(process.execPath, ['scripts/build.mjs', '--program'], { cwd: stage, stdio: 'pipe' })
  },
  'npm prune --omit=dev': (stage) => {
    unlinkSync(join(stage, 'node_modules'))
    copyPackages(stage)
  },
}

/** Runs the stages of the Containerfile in folders below `root`; gives the folder of the last. */
function build(root: string, context: string): string {
  const places = new Map<string, Place>()
  let place: Place = () => ''
  let stage = ''
  for (const line of linesOf('deploy/Containerfile')) {
    const [instruction, ...words] = line.split(' ')
    if (instruction === 'FROM') {
      const name = words[2] ?? 'last'
      const at: Place = (path) => join(root, name, path.slice(1))
      places.set(name, at)
      place = at
    } else if (instruction === 'WORKDIR') {
      stage = place(words[0]!)
      mkdirSync(stage, { recursive: true })
    } else if (instruction === 'COPY') {
      const from = /^--from=(.*)$/.exec(words[0]!)?.[1]
      const sources = words.slice(from === undefined ? 0 : 1, -1)
      for (const source of sources) {
        if (source === '.') {
          copyContext(context, stage)
          continue
        }
        const path = from === undefined ? join(context, source) : places.get(from)!(source)
        const target = resolve(stage, words.at(-1)!)
        // As the builder does: the content of a folder, a file by its name.
        const isFolder = statSync(path).isDirectory()
        cpSync(path, isFolder ? target : join(target, basename(path)), { recursive: true })
      }
    } else if (instruction === 'RUN' && stage.startsWith(join(root, 'build'))) {
      const step = steps[words.join(' ')]
      if (!step) throw new Error(`this test does not know what this does: ${line}`)
      step(stage)
    }
  }
  return stage
}

test('no key, database or foreign package gets into the build', () => {
  for (const path of [
    'data/key',
    'quoin-network/node0/key',
    'key',
    'node_modules/x',
    'dist/x',
    '.git/config',
    'test/x',
  ])
    expect(isInContext(path), path).toBe(false)
  expect(ignored.filter((line) => !/^(\*|!?[\w./-]+)$/.test(line))).toEqual([])
  for (const line of ignored.filter((line) => line.startsWith('!')))
    expect(existsSync(join(packageRoot, line.slice(1))), line).toBe(true)
})

test('the files of the image are a node that answers and serves its explorer', () =>
  withTempFolder(async (folder) => {
    const image = build(folder, packageRoot)
    expect(existsSync(join(image, 'node_modules/vitest'))).toBe(false)
    const lines = linesOf('deploy/Containerfile')
    const entry = JSON.parse(
      lines.find((line) => line.startsWith('ENTRYPOINT '))!.slice('ENTRYPOINT '.length),
    ) as string[]
    const program = join(folder, 'last', entry[0]!)
    const [rpc, explorer] = [await freePort(), await freePort()]
    const ports = [
      `--rpc-http-port=${rpc}`,
      `--explorer-http-port=${explorer}`,
      '--rpc-ws-port=0',
      '--graphql-http-port=0',
    ]
    const args = [program, `--data-path=${join(folder, 'data')}`, ...ports, '--p2p-enabled=false', '--explorer-enabled']
    const node = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    node.stdout.on('data', (text) => (output += String(text)))
    node.stderr.on('data', (text) => (errors += String(text)))
    const closed = once(node, 'close')
    await expect.poll(() => output + errors).toContain('node started')
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const answer = await fetch(`http://127.0.0.1:${rpc}`, { method: 'POST', body })
    expect(await answer.json()).toMatchObject({ result: '0x539' })
    const page = await fetch(`http://127.0.0.1:${explorer}`)
    expect(await page.text()).toContain('<title>')
    node.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
    expect(errors).toBe('')
    // The services listen at ports that the file tells of.
    const exposed = lines.find((line) => line.startsWith('EXPOSE '))!
    for (const port of [8545, 8546, 8547, 8548, 30303, 9545]) expect(exposed).toMatch(new RegExp(` ${port}\\b`))
  }))
