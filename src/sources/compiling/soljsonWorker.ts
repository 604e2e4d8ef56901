import { parentPort, workerData } from 'node:worker_threads'
import { loadSoljson } from './soljson.ts'

// The thread in which a compiler of WebAssembly runs: it ends with it, and gives its memory back.

/** What the thread is started with. */
export interface SoljsonTask {
  readonly path: string
  readonly input: string
}

/** What it answers. */
export interface SoljsonResult {
  readonly version: string
  readonly output: string
}

const { path, input } = workerData as SoljsonTask
const { version, compile } = loadSoljson(path)
parentPort!.postMessage({ version, output: compile(input) } satisfies SoljsonResult)
