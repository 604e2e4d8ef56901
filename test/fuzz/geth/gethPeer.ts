import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Release of geth that knows every fork we know. */
const version = 'v1.17.10'

/** What geth thinks of one state test. */
export interface Verdict {
  readonly name: string
  readonly pass: boolean
  readonly error?: string
  readonly stateRoot?: string
}

/** A running `evm statetest`, which takes files of many tests one at a time. */
export interface GethPeer {
  /** Judges the tests by their names. */
  judge(tests: ReadonlyMap<string, object>): Promise<readonly Verdict[]>
  close(): Promise<void>
}

/** Starts geth's `evm` tool of the folder of peers; undefined when it is not there. */
export async function startGeth(peers: string): Promise<GethPeer | undefined> {
  const script = join(peers, 'geth/geth')
  if (!existsSync(script)) return undefined
  const env = { ...process.env, GETH_TOOL: 'evm', GETH_PEER_VERSION: version }
  const child = spawn(script, ['statetest'], { env, stdio: 'pipe' })
  const folder = await mkdtemp(join(tmpdir(), 'quoin-fuzz-'))
  const waiting: { resolve(verdicts: readonly Verdict[]): void; reject(error: Error): void }[] = []
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    child.on('close', () => resolve())
  })
  let complaint = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!line.startsWith('{"stateRoot"')) complaint = `${complaint}\n${line}`.slice(-2000)
  })
  void ended.then(() => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`geth's evm tool has ended: ${complaint}`))
  })
  // It answers each file with an indented list, which ends with a bracket at the start of a line.
  let answer = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    answer += line
    if (line !== ']' && line !== '[]') return
    waiting.shift()?.resolve(JSON.parse(answer) as Verdict[])
    answer = ''
  })
  let files = 0
  return {
    async judge(tests) {
      const file = join(folder, `${files++}.json`)
      await writeFile(file, JSON.stringify(Object.fromEntries(tests)))
      const verdicts = await new Promise<readonly Verdict[]>((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin.write(file + '\n')
      })
      await rm(file)
      return verdicts
    },
    async close() {
      child.stdin.end()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
