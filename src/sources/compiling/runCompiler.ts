import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../primitives/packageRoot.ts'
import { SourceError } from '../fault.ts'
import type { Compiler } from './compilers.ts'
import type { SoljsonResult, SoljsonTask } from './soljsonWorker.ts'

/** How much a compiler may take. */
export interface CompileLimits {
  /** Milliseconds of the processor; ten times as many may pass. */
  readonly time: number
  /** Megabytes in memory. */
  readonly memory: number
}

/** What a compiler wrote, and which it is. */
export interface CompilerRun {
  readonly version: string
  readonly output: string
}

/** A compiler at work; what it has taken is 0 where the system does not say. */
interface Running {
  /** Bytes in memory. */
  memory(): number
  /** Milliseconds of the processor. */
  time(): number
  kill(): void
}

/** Bytes of output that are read. */
const maxOutput = 256 << 20
/** Milliseconds in which a program has to say its version. */
const versionTime = 20_000
/** Milliseconds between two looks at what it takes. */
const interval = 100

const ended = (how: string) => new SourceError({ code: 'compiler_ended', how })

/** Runs a compiler on standard JSON, within limits; rejects with a SourceError if it ends without an answer. */
export function runCompiler(compiler: Compiler, input: string, limits: CompileLimits): Promise<CompilerRun> {
  const start = compiler.kind === 'soljson' ? startThread : startProgram
  return new Promise((resolve, reject) => {
    const onEnd = (how: string) => {
      clearTimeout(timer)
      clearInterval(watch)
      // After an answer this does nothing.
      reject(ended(how))
    }
    const running = start(compiler.path, input, resolve, onEnd)
    const stop = (how: string) => {
      onEnd(how)
      running.kill()
    }
    const tooLong = () => stop(`it took more than ${limits.time / 1000} seconds`)
    const timer = setTimeout(tooLong, 10 * limits.time)
    const watch = setInterval(() => {
      if (running.time() > limits.time) tooLong()
      if (running.memory() > limits.memory * 2 ** 20) stop(`it took more than ${limits.memory} MB of memory`)
    }, interval)
  })
}

type Start = (path: string, input: string, onDone: (run: CompilerRun) => void, onEnd: (how: string) => void) => Running

const startThread: Start = (path, input, onDone, onEnd) => {
  const [memory, cpu] = [process.memoryUsage.rss(), process.cpuUsage()]
  let why = 'it gave no answer'
  const worker = new Worker(workerUrl('sources/compiling/soljsonWorker.ts'), {
    workerData: { path, input } satisfies SoljsonTask,
    // Its own memory is watched; what it prints is nobody's.
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
    stdout: true,
    stderr: true,
    env: {},
  })
  worker.on('message', (result: SoljsonResult) => {
    onDone(result)
    void worker.terminate()
  })
  worker.on('error', (error) => (why = `it failed (${error.message.slice(0, 200)})`))
  worker.on('exit', () => onEnd(why))
  return {
    memory: () => process.memoryUsage.rss() - memory,
    time() {
      const { user, system } = process.cpuUsage(cpu)
      return (user + system) / 1000
    },
    kill: () => void worker.terminate(),
  }
}

/** The program reads no files: its folder is an empty one, and no others are allowed to it. */
const startProgram: Start = (path, input, onDone, onEnd) => {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-solc-'))
  const options = { cwd: folder, env: { PATH: process.env['PATH'] } }
  let version = ''
  const child = spawn(path, ['--standard-json'], { ...options, stdio: ['pipe', 'pipe', 'ignore'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const pieces: Buffer[] = []
  let size = 0
  child.stdout.on('data', (piece: Buffer) => {
    size += piece.length
    if (size > maxOutput) kill()
    else pieces.push(piece)
  })
  let why: string | undefined
  child.on('error', (error) => (why = `it does not start (${(error as NodeJS.ErrnoException).code ?? error.message})`))
  // A program that has ended does not read.
  child.stdin.on('error', () => {})
  execFile(path, ['--version'], { ...options, timeout: versionTime }, (_, stdout) => {
    version = String(stdout)
    child.stdin.end(input)
  })
  child.on('close', (code, signal) => {
    process.off('exit', kill)
    rmSync(folder, { recursive: true, force: true })
    if (why === undefined && code === 0) onDone({ version, output: Buffer.concat(pieces).toString() })
    onEnd(why ?? (signal ? `it was ended by ${signal}` : `it ended with code ${code}`))
  })
  return { memory: () => residentBytes(child.pid), time: () => busyTime(child.pid), kill }
}

const pageSize = 4096

/** Bytes of a process that are in memory; 0 where the system does not say. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageSize
  } catch {
    return 0
  }
}

/** Milliseconds for which the kernel counts one tick; it has counted a hundred in a second for decades. */
const tick = 10

/** Milliseconds of the processor that a process has taken; 0 where the system does not say. */
function busyTime(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name of the program, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tick
  } catch {
    return 0
  }
}
