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

async function run(page: string, folder: string, modules: string, tell: (report: StepReport) => void) {
  const script = join(packageRoot, 'dist/test/e2e/docs/main.js')
  const args = [...apart, ...withLoopback, process.execPath, script, page, folder, modules]
  const child = spawn('unshare', args, { cwd: packageRoot, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  child.on('message', (message) => tell(message as StepReport))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the page's process ended with ${code}`)
}

/** Runs a page in a process and a network of its own, with packages that its reader has installed; each step is a check. */
export async function runApart(
  page: string,
  { checks, folder }: SuiteTerms,
  modules = join(packageRoot, 'node_modules'),
): Promise<void> {
  const own = join(folder, page.replaceAll('/', '-'))
  mkdirSync(own)
  const reports: Promise<unknown>[] = []
  const tell = ({ name, failure }: StepReport) =>
    reports.push(
      checks.step(`${page}: ${name}`, async () => {
        if (failure !== undefined) throw new Error(failure)
      }),
    )
  await checks.step(`${page}: runs to its end`, () => run(page, own, modules, tell))
  await Promise.all(reports)
}
