import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import type { Suite } from '../suite.ts'

/** The pages that users read. */
export function listPages(): string[] {
  const inside = readdirSync(join(packageRoot, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', 'deploy/README.md', ...inside.map((name) => `docs/${name}`)]
}

/** A network, and processes that end with the first of them, for one page alone: every port is free there. */
const apart = ['--map-root-user', '--net', '--pid', '--fork', '--mount-proc', '--kill-child']
const withLoopback = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** What came of one step of a page. */
export interface StepReport {
  readonly name: string
  readonly failure?: string
}

/** Runs a page, and tells of each step. */
async function runApart(page: string, folder: string, tell: (report: StepReport) => void): Promise<void> {
  const script = join(packageRoot, 'dist/test/e2e/docs/main.js')
  const args = [...apart, ...withLoopback, process.execPath, script, page, folder]
  const child = spawn('unshare', args, { cwd: packageRoot, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  child.on('message', (message) => tell(message as StepReport))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the page's process ended with ${code}`)
}

export const docs: Suite = {
  name: 'docs',
  doc: 'every command and code block of README.md and docs/, as a reader would run them',
  whyNot: () =>
    spawnSync('unshare', [...apart, ...withLoopback, 'true']).status === 0
      ? undefined
      : 'this machine does not let its users have network namespaces (unshare --map-root-user --net)',
  async run({ checks, folder, only }) {
    const pages = listPages().filter((page) => only.length === 0 || only.some((text) => page.includes(text)))
    for (const page of pages) {
      const own = join(folder, page.replaceAll('/', '-'))
      mkdirSync(own)
      const reports: Promise<unknown>[] = []
      const tell = ({ name, failure }: StepReport) =>
        reports.push(
          checks.step(`${page}: ${name}`, async () => {
            if (failure !== undefined) throw new Error(failure)
          }),
        )
      await checks.step(`${page}: runs to its end`, () => runApart(page, own, tell))
      await Promise.all(reports)
    }
  },
}
