import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { freePort } from '../test/support/freePort.ts'
import { anvilBinary, startServer } from './rpc/servers.ts'
import type { Bench, BenchOptions, BenchTable } from './table.ts'

/** A program that is started until it answers. */
interface Subject {
  readonly name: string
  readonly program: string
  options(folder: string, port: number): Promise<readonly string[]>
}

async function quoinOptions(folder: string, port: number): Promise<string[]> {
  const [ws, graphql] = [await freePort(), await freePort()]
  return [`--data-path=${folder}`, `--rpc-http-port=${port}`, `--rpc-ws-port=${ws}`, `--graphql-http-port=${graphql}`]
}

const bin = join(packageRoot, 'bin/quoin')

function subjects(peersDir: string): readonly Subject[] {
  return [
    {
      name: 'quoin',
      program: process.execPath,
      options: async (folder, port) => [bin, ...(await quoinOptions(folder, port))],
    },
    {
      name: 'geth --dev',
      program: join(peersDir, 'geth/geth'),
      options: async (folder, port) => [
        ...['--dev', `--datadir=${folder}`, '--ipcdisable', '--maxpeers=0', '--verbosity=1'],
        ...['--http', `--http.port=${port}`, `--authrpc.port=${await freePort()}`],
      ],
    },
    {
      name: 'anvil',
      program: anvilBinary(),
      options: async (_, port) => ['--silent', `--port=${port}`],
    },
  ]
}

/** Seconds from the start of a program with an empty folder to its first answer. */
async function timeToAnswer({ name, program, options }: Subject): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-start-'))
  try {
    const port = await freePort()
    const args = await options(folder, port)
    const start = performance.now()
    const server = await startServer(name, program, args, port)
    const seconds = (performance.now() - start) / 1000
    await server.stop()
    return seconds
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds that a command takes to its end. */
async function timeToEnd(args: readonly string[]): Promise<number> {
  const start = performance.now()
  await new Promise((done) => spawn(process.execPath, args, { stdio: 'ignore' }).once('exit', done))
  return (performance.now() - start) / 1000
}

async function medianOf(runs: number, measure: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < runs; i++) times.push(await measure())
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)]!
}

async function run(options: BenchOptions): Promise<BenchTable> {
  const runs = options.number('runs', 5)
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const results: { name: string; seconds: number }[] = []
  for (const subject of subjects(peersDir))
    try {
      await timeToAnswer(subject)
      results.push({ name: subject.name, seconds: await medianOf(runs, () => timeToAnswer(subject)) })
    } catch (error) {
      if (subject.name === 'quoin') throw error
      process.stderr.write(`Without ${subject.name}: ${(error as Error).message}\n`)
    }
  const again: Subject = {
    name: 'npm start, nothing changed',
    program: process.execPath,
    options: async (folder, port) => [join(packageRoot, 'scripts/start.mjs'), ...(await quoinOptions(folder, port))],
  }
  results.push({ name: again.name, seconds: await medianOf(runs, () => timeToAnswer(again)) })
  results.push({ name: 'quoin --version', seconds: await medianOf(runs, () => timeToEnd([bin, '--version'])) })
  const [quoin] = results
  return {
    title: `Seconds from the start of a program to its first answer, median of ${runs}`,
    columns: ['program', 'seconds', 'beside quoin'],
    rows: results.map(({ name, seconds }) => [name, seconds.toFixed(2), `${(seconds / quoin!.seconds).toFixed(2)}×`]),
    json: { runs, rows: results },
  }
}

export const bench: Bench = {
  name: 'start',
  doc: 'Start to first answer, beside geth --dev and anvil (--runs N, --peers-dir DIR).',
  run,
}
