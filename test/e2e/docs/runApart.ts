import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import type { SuiteTerms } from '../suite.ts'

/** What came of one step of a page. */
export interface StepReport {
  readonly name: string
  readonly failure?: string
}

/** A network, and processes that end with the first of them, for one page alone: every port is free there. */
const apart = ['--map-root-user', '--net', '--pid', '--fork', '--mount-proc', '--kill-child']
const withLoopback = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** Why pages cannot run here; undefined if they can. */
export function whyNotApart(): string | undefined {
  const { status } = spawnSync('unshare', [...apart, ...withLoopback, 'true'])
  if (status !== 0) return 'this machine does not let its users have network namespaces (unshare --map-root-user --net)'
  return undefined
}

/** What the reader of a page has installed. */
export interface Installed {
  /** A folder `node_modules`; that of this repository when left out. */
  readonly modules?: string | undefined
  /** A folder of programs. */
  readonly programs?: string | undefined
}

async function run(page: string, folder: string, installed: Installed, tell: (report: StepReport) => void) {
  const { modules = join(packageRoot, 'node_modules'), programs } = installed
  const script = join(packageRoot, 'dist/test/e2e/docs/main.js')
  const args = [...apart, ...withLoopback, process.execPath, script, page, folder, modules]
  const child = spawn('unshare', args, {
    cwd: packageRoot,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: programs ? { ...process.env, PATH: `${programs}:${process.env['PATH']}` } : process.env,
  })
  child.on('message', (message) => tell(message as StepReport))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the page's process ended with ${code}`)
}

/** Runs a page in a process and a network of its own; each step is a check. */
export async function runApart(page: string, { checks, folder }: SuiteTerms, installed: Installed = {}): Promise<void> {
  const own = join(folder, page.replaceAll('/', '-'))
  mkdirSync(own)
  const reports: Promise<unknown>[] = []
  const tell = ({ name, failure }: StepReport) =>
    reports.push(
      checks.step(`${page}: ${name}`, async () => {
        if (failure !== undefined) throw new Error(failure)
      }),
    )
  await checks.step(`${page}: runs to its end`, () => run(page, own, installed, tell))
  await Promise.all(reports)
}
