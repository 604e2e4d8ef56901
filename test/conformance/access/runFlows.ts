import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'

/** What the runner of the flows reports about one of them. */
export interface FlowResult {
  readonly name: string
  readonly fail: readonly { readonly step: number; readonly what: string; readonly why: string }[]
  readonly skip?: string
}

/** Stretches the time limits of the flows, for machines with other work. */
const slow = process.env['SLOW'] ?? '4'

/** Runs flows one after another on nodes that their runner starts. */
export async function runFlows(folder: string, flows: readonly string[]): Promise<readonly FlowResult[]> {
  const work = mkdtempSync(join(tmpdir(), 'quoin-access-'))
  const report = join(work, 'report.json')
  try {
    const output = await new Promise<string>((resolve, reject) => {
      const args = ['--node', join(packageRoot, 'bin/quoin'), `--only=^(${flows.join('|')})$`, `--json=${report}`]
      const child = spawn(process.execPath, [join(folder, 'run.mjs'), ...args, `--work=${join(work, 'nodes')}`], {
        env: { ...process.env, SLOW: slow },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let text = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += String(data)))
      child.on('error', reject)
      child.on('close', () => resolve(text))
    })
    return resultsOf(report, output)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function resultsOf(report: string, output: string): readonly FlowResult[] {
  try {
    return (JSON.parse(readFileSync(report, 'utf8')) as { results: FlowResult[] }).results
  } catch {
    throw new Error(`the runner of the flows failed: ${output.slice(-1000)}`)
  }
}
