import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import type { ChainFiles, ImportResult } from './importer.ts'
import { watchProcess } from './processUse.ts'

/** Imports the chain with Quoin, in a process of its own. */
export async function importWithQuoin({ genesis, blocks }: ChainFiles, data: string): Promise<ImportResult> {
  const program = join(packageRoot, 'dist/bench/importQuoin.js')
  const child = spawn(process.execPath, [program, genesis, blocks, data], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error('Quoin could not import the chain')
  return JSON.parse(output) as ImportResult
}

/** Imports the chain with `geth import` as it comes. Its own count of the time leaves out the compaction that follows. */
export async function importWithGeth(
  { genesis, blocks }: ChainFiles,
  data: string,
  geth: string,
): Promise<ImportResult> {
  const init = spawnSync(geth, ['--datadir', data, 'init', genesis], { encoding: 'utf8' })
  if (init.error || init.status !== 0) throw new Error(`geth cannot be run: ${init.error?.message ?? init.stderr}`)
  const child = spawn(geth, ['--datadir', data, '--log.format', 'json', 'import', blocks])
  const watch = watchProcess(child.pid!)
  const [output, log] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const use = watch.stop()
  const took = /Import done in (\S+)\./.exec(output)?.[1]
  const head = [...log.matchAll(/"msg":"Imported new chain segment".*?"hash":"(0x[0-9a-f]{64})"/g)].at(-1)?.[1]
  if (took === undefined || head === undefined) throw new Error(`geth could not import the chain:\n${log}`)
  return { ...use, seconds: secondsOf(took), head }
}

/** Seconds of a duration as Go writes it: `850ms`, `22.5s`, `1m3.2s`. */
function secondsOf(duration: string): number {
  const unit = { h: 3600, m: 60, s: 1, ms: 1e-3 } as const
  const parts = [...duration.matchAll(/([\d.]+)(ms|h|m|s)/g)]
  return parts.reduce((sum, [, n, name]) => sum + Number(n) * unit[name as keyof typeof unit], 0)
}
