import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { freePort } from '../test/support/freePort.ts'
import { cpuSeconds } from './cpuSeconds.ts'
import { round } from './rate.ts'
import { leaveOut } from './report/leaveOut.ts'
import { startServer } from './rpc/servers.ts'
import { formatSpread, medianOf, spreadOf } from './spread.ts'
import { prepareLongChain } from './start/longChain.ts'
import { type Program, startedPrograms, versionArgs } from './start/programs.ts'
import type { Bench, BenchOptions, BenchTable } from './table.ts'

const takes = { runs: 'N', blocks: 'N', idle: 'S', only: 'PATTERN' }

/** One start. */
interface Start {
  readonly seconds: number
  /** CPU time of all threads until the first answer. */
  readonly cpuSeconds: number
  /** Resident memory some seconds later, in MB, and that without what is mapped from files; only of the last start. */
  readonly memory?: { readonly resident: number; readonly own: number }
}

/** Starts a program, with an empty folder where it wants one, and waits for its first answer. */
async function measureStart({ name, program, args }: Program, idleSeconds: number): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-start-'))
  try {
    const port = await freePort()
    const [path, given] = [program(), await args(folder, port)]
    const began = performance.now()
    const server = await startServer(name, path, given, port)
    const seconds = (performance.now() - began) / 1000
    const cpu = cpuSeconds(server.pid)
    try {
      if (idleSeconds === 0) return { seconds, cpuSeconds: cpu }
      await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000))
      return { seconds, cpuSeconds: cpu, memory: memoryOf(server.pid) }
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function memoryOf(pid: number): { resident: number; own: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (figure: string) => (Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024) / 1e6
  return { resident: megabytes('VmRSS'), own: megabytes('RssAnon') }
}

/** Seconds that a command takes to its end. */
async function timeToEnd(args: readonly string[]): Promise<number> {
  const start = performance.now()
  await new Promise((done) => spawn(process.execPath, args, { stdio: 'ignore' }).once('exit', done))
  return (performance.now() - start) / 1000
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const runs = options.number('runs', 7)
  const idleSeconds = options.number('idle', 10)
  const blocks = options.number('blocks', 100_000)
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const only = new RegExp(options.text('only', ''))
  const chain = await prepareLongChain(blocks)
  const programs = new Set(startedPrograms(peersDir, chain, round(blocks)).filter(({ name }) => only.test(name)))
  const starts = new Map<string, Start[]>([...programs].map(({ name }) => [name, []]))
  const versions: number[] = []
  // In turn, so that whatever else the machine does slows all alike; the first round fills the caches.
  for (let i = 0; i <= runs; i++) {
    for (const program of programs)
      try {
        const start = await measureStart(program, i === runs ? idleSeconds : 0)
        if (i > 0) starts.get(program.name)!.push(start)
      } catch (error) {
        if (program.name.startsWith('Quoin')) throw error
        programs.delete(program)
        starts.delete(program.name)
        leaveOut(program.name, error)
      }
    if (only.test('quoin --version')) versions.push(await timeToEnd(versionArgs))
  }
  const results = [...starts].map(([name, all]) => ({
    name,
    seconds: spreadOf(all.map(({ seconds }) => seconds)),
    cpuSeconds: medianOf(all.map((start) => start.cpuSeconds)),
    memory: all.at(-1)?.memory,
  }))
  const version = versions.length > 1 ? spreadOf(versions.slice(1)) : undefined
  return {
    title: `Seconds from the start of a program to its first answer, medians of ${runs} starts in turn; memory after ${idleSeconds} idle seconds`,
    columns: ['program', 'seconds', 'spread', 'CPU seconds', 'idle MB', 'without file cache'],
    rows: [
      ...results.map(({ name, seconds, cpuSeconds, memory }) => [
        name,
        seconds.median.toFixed(2),
        formatSpread(seconds),
        cpuSeconds.toFixed(2),
        memory ? round(memory.resident) : '',
        memory ? round(memory.own) : '',
      ]),
      ...(version
        ? [['quoin --version, to its end', version.median.toFixed(2), formatSpread(version), '', '', '']]
        : []),
    ],
    json: { runs, blocks, results, version },
  }
}

export const bench: Bench = {
  name: 'start',
  doc: 'Start to first answer and idle memory, beside geth and anvil.',
  takes,
  run,
}
