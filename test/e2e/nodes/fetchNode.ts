import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A Node to run things with. */
export interface OtherNode {
  readonly version: string
  readonly program: string
  /** An environment in which `node` and `npm` are this one's. */
  readonly env: NodeJS.ProcessEnv
}

/** The versions that people have, and the npm that comes with each. */
export const majors = [
  { major: 20, npm: 10 },
  { major: 22, npm: 10 },
  { major: 24, npm: 11 },
  { major: 26, npm: 11 },
] as const

/** Outside of the repository, and kept: a Node is 200 MB. */
const cache = process.env.QUOIN_NODES ?? join(homedir(), '.cache', 'quoin-nodes')

/** npm's package `node` only chooses one of these by a script, which many machines do not run. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

const npm = (...args: readonly string[]) => run('npm', [...args, '--loglevel=error'], { maxBuffer: 1 << 26 })

const numbersOf = (version: string) => version.split('.').map(Number)

function newestOf(versions: readonly string[]): string | undefined {
  return versions
    .toSorted((a, b) => {
      const [x, y] = [numbersOf(a), numbersOf(b)]
      return x[0]! - y[0]! || x[1]! - y[1]! || x[2]! - y[2]!
    })
    .at(-1)
}

/** The newest version of a package that a range allows: the registry's, else one that is here already. */
async function versionOf(name: string, major: number): Promise<string> {
  const isWanted = (version: string) => new RegExp(`^${major}\\.\\d+\\.\\d+$`).test(version)
  const folder = join(cache, name)
  const here = existsSync(folder) ? readdirSync(folder).filter(isWanted) : []
  const known = await npm('view', name, 'versions', '--json').then(
    ({ stdout }) => (JSON.parse(stdout) as string[]).filter(isWanted),
    (error: Error) => {
      if (here.length === 0) throw error
      return here
    },
  )
  const newest = newestOf(known)
  if (newest === undefined) throw new Error(`the registry has no version ${major} of ${name}`)
  return newest
}

/** Installs a package into a folder of the cache, without its scripts; gives where the package lies. */
async function install(name: string, major: number): Promise<{ readonly path: string; readonly version: string }> {
  const version = await versionOf(name, major)
  const folder = join(cache, name, version)
  const path = join(folder, 'node_modules', name)
  if (!existsSync(join(path, 'package.json'))) {
    mkdirSync(folder, { recursive: true })
    const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
    await npm('install', `--prefix=${folder}`, ...flags, `${name}@${version}`)
  }
  return { path, version }
}

/** Fetches a version of Node with its npm; undefined for the Node that runs. Throws where the registry cannot be reached. */
export async function fetchNode({ major, npm: npmMajor }: (typeof majors)[number]): Promise<OtherNode> {
  const node = await install(nodePackage, major)
  const client = await install('npm', npmMajor)
  const program = join(node.path, 'bin', 'node')
  const bin = join(cache, 'bin', `${node.version}-${client.version}`)
  mkdirSync(bin, { recursive: true })
  const links = [
    ['node', program],
    ['npm', join(client.path, 'bin/npm-cli.js')],
    ['npx', join(client.path, 'bin/npx-cli.js')],
  ] as const
  for (const [name, target] of links) if (!existsSync(join(bin, name))) symlinkSync(target, join(bin, name))
  // Without what the npm that runs this says of itself.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || /^npm_config_registry$/i.test(name),
  )
  const env = { ...Object.fromEntries(own), PATH: [bin, process.env.PATH].join(delimiter) }
  return { version: node.version, program: join(dirname(program), 'node'), env }
}
