import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { benches } from './benches.ts'
import { readPeerVersions } from './report/peerVersions.ts'
import type { Report } from './report/report.ts'
import type { BenchOptions } from './table.ts'

/** Settings with which a bench ends within a few minutes; those that are not here end as they are. */
const shortSettings: Readonly<Record<string, string>> = {
  stateReads: '--accounts 200000',
  trie: '--accounts 200000 --contracts 200 --blocks 30',
  evm: '--seconds 0.5 --peers geth,revm',
  import: '--blocks 100 --rounds 3',
  index: '--blocks 400 --rounds 3',
  sync: '--blocks 2000 --rounds 3',
  rpc: '--seconds 3',
  privacy: '--seconds 20 --members 2 --validators 4',
  subscribers: '--subscribers 1000 --rounds 10',
  isolation: '--seconds 20',
  logs: '--many 200000',
  graphql: '--seconds 3',
  tokens: '--transfers 100000',
  trace: '--seconds 2',
}

/** Runs benches one at a time, each in a process of its own, and writes what each found to a folder. Returns an exit code. */
export async function runAll(options: BenchOptions): Promise<number> {
  const folder = resolve(options.text('json', 'build/bench'))
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const only = options.text('only', '').split(',').filter(Boolean)
  const unknown = only.find((name) => !benches.some((bench) => bench.name === name))
  if (unknown !== undefined) throw new Error(`there is no bench ${unknown}`)
  const versions = readPeerVersions(peersDir)
  const missing = Object.entries(versions).filter(([, version]) => version === undefined)
  if (missing.length > 0) process.stderr.write(`Not here: ${missing.map(([name]) => name).join(', ')}\n`)
  const failed: string[] = []
  for (const { name } of benches) {
    if (only.length > 0 && !only.includes(name)) continue
    const file = join(folder, `${name}.json`)
    const settings = shortSettings[name]?.split(' ') ?? []
    process.stderr.write(`${name} …\n`)
    if (await runApart([name, ...settings, '--peers-dir', peersDir, '--json', file])) addVersions(file, versions)
    else failed.push(name)
  }
  if (failed.length > 0) process.stderr.write(`Failed: ${failed.join(', ')}\n`)
  return failed.length > 0 ? 1 : 0
}

/** A process of its own, so that what one bench leaves in memory does not slow the next. */
async function runApart(args: readonly string[]): Promise<boolean> {
  const program = fileURLToPath(new URL('./main.js', import.meta.url))
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

function addVersions(file: string, versions: Report['versions']): void {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  writeFileSync(file, `${JSON.stringify({ ...report, versions }, undefined, 2)}\n`)
}
