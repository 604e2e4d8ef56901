import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { commandOf } from './peerProgram.ts'

/** How one of the tool's tests came out. */
export interface ToolResult {
  readonly name: string
  /** What the tool said, undefined when the test passed. */
  readonly failure: string | undefined
}

/** geth's tool for testing and asking nodes. */
export interface Devp2pTool {
  /** What a command prints; fails when the command does, unless it counts its failures itself. */
  run(...args: readonly string[]): Promise<string>
  /** Runs a command that tests; those of the given names, or all. */
  test(names: readonly string[] | undefined, ...args: readonly string[]): Promise<ToolResult[]>
}

/** Milliseconds after which a command hangs: each of its waits ends within seconds. */
const patience = 180_000

export function createDevp2pTool(peersDir: string): Devp2pTool {
  const { command, env } = commandOf('devp2p', peersDir)

  async function finish(args: readonly string[]) {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: patience })
    const stop = () => void child.kill('SIGKILL')
    process.once('exit', stop)
    try {
      const closed = once(child, 'close') as Promise<[number | null]>
      const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
      return { stdout, stderr, status }
    } finally {
      process.off('exit', stop)
    }
  }

  return {
    async run(...args) {
      const { stdout, stderr, status } = await finish(args)
      if (status !== 0) throw new Error(`devp2p ${args.slice(0, 2).join(' ')} fails: ${stderr.slice(-500)}`)
      return stdout.trim()
    },
    async test(names, ...args) {
      const { stdout, stderr } = await finish([...args, '--tap', ...(names ? [`--run=^(${names.join('|')})$`] : [])])
      const results = readTap(stdout)
      if (!results)
        throw new Error(`devp2p ${args.slice(0, 2).join(' ')} does not come to its end: ${stderr.slice(-500)}`)
      return results
    },
  }
}

/** Reads the results in the Test Anything Protocol; undefined when there are not as many as were promised. */
function readTap(output: string): ToolResult[] | undefined {
  const planned = Number(/^1\.\.(\d+)$/m.exec(output)?.[1] ?? 0)
  const results: ToolResult[] = []
  for (const [, not, name, remarks] of output.matchAll(/^(not )?ok \d+ (.+)\n((?:#.*\n)*)/gm))
    results.push({
      name: name!,
      failure: not ? failureIn(remarks!.replaceAll(/^# ?/gm, '').trim().split('\n')) : undefined,
    })
  return planned > 0 && results.length === planned ? results : undefined
}

/** All that failed of a test with several parts; else the last thing it said. */
function failureIn(remarks: readonly string[]): string {
  return remarks.filter((line) => /^test \d+ failed: /.test(line)).join('; ') || remarks.at(-1)!
}

/** The folder of the chain that the tool's tests of eth are made for: it is part of the tool's source. */
export async function findTestChain(tool: Devp2pTool, cwd: string): Promise<string> {
  const version = /version (\d+\.\d+\.\d+)/.exec(await tool.run('--version'))?.[1]
  const module = `github.com/ethereum/go-ethereum@v${version}`
  const { status, stdout, stderr, error } = spawnSync('go', ['mod', 'download', '-json', module], {
    cwd,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the source of geth cannot be had: ${error?.message ?? stderr.slice(-500)}`)
  const { Dir } = JSON.parse(stdout) as { Dir: string }
  return join(Dir, 'cmd/devp2p/internal/ethtest/testdata')
}
