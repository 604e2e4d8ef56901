import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { freePort } from '../support/freePort.ts'
import { withTempFolder } from '../support/tempStore.ts'
import { sampleOf } from '../support/wholeRun.ts'

const lineOf = (node: number) => new RegExp(`^ +node${node} +block (\\d+)`, 'gm')

type Network = ChildProcessByStdio<null, Readable, Readable>

function startNetwork(dir: string, basePort: number, options: readonly string[] = ['--validators=2']): Network {
  const args = ['network', `--dir=${dir}`, `--base-port=${basePort}`, ...options]
  return spawn(process.execPath, [join(packageRoot, 'bin/quoin'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Reads the output until it matches; what was read so far. */
async function readUntil({ stdout }: Network, wanted: (output: string) => boolean): Promise<string> {
  let output = ''
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    output += chunk
    if (wanted(output)) return output
  }
  throw new Error(`the output ended: ${output}`)
}

/** The highest block that a node has shown. */
const heightIn = (output: string, node: number) =>
  Math.max(...[...output.matchAll(lineOf(node))].map(([, block]) => Number(block)))

/** Runs `quoin network` until both nodes have shown a block, then ends it as Ctrl+C does. */
async function runShortly(dir: string, basePort: number): Promise<{ code: unknown; height: number }> {
  const child = startNetwork(dir, basePort)
  const ended = once(child, 'exit')
  let output = ''
  let reached = 0
  let isEnding = false
  for await (const chunk of child.stdout) {
    output += chunk
    reached = Math.min(...[0, 1].map((i) => heightIn(output, i)))
    if (reached > 0 && !isEnding) isEnding = child.kill('SIGINT')
  }
  const [code] = await ended
  return { code, height: reached }
}

test.each(
  sampleOf(
    [
      ['GraphQL', 12],
      ['P2P', 16],
    ] as const,
    1,
  ),
)('a port for %s that another program has is refused before any node starts', (service, distance) =>
  withTempFolder(async (folder) => {
    const basePort = await freePort()
    const other = createServer().listen(basePort + distance, '127.0.0.1')
    await once(other, 'listening')
    const child = startNetwork(join(folder, 'net'), basePort)
    let errors = ''
    child.stderr.on('data', (chunk) => (errors += chunk))
    const [code] = await once(child, 'close')
    other.close()
    expect(code).toBe(1)
    expect(errors).toBe(
      `Port ${basePort + distance} (${service} of node1) is taken by another program: stop it, or choose other ports with --base-port\n`,
    )
  }),
)

test('a network with private transactions shows a first one to its members only', () =>
  withTempFolder(async (folder) => {
    const dir = join(folder, 'net')
    const basePort = await freePort()
    const child = startNetwork(dir, basePort, ['--privacy', '--validators=3'])
    const ended = once(child, 'exit')
    const ask = async (node: number, body: string) => {
      const response = await fetch(`http://127.0.0.1:${basePort + 10 * node}`, { method: 'POST', body })
      return (await response.json()) as { result?: unknown }
    }
    await readUntil(child, (output) => [0, 1, 2].every((i) => lineOf(i).test(output)))
    const first = readFileSync(join(dir, 'private.json'), 'utf8')
    // Managers may still be looking for each other.
    let marker: unknown
    while ((marker = (await ask(0, first)).result) === undefined) await setTimeout(100)
    const receipt = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'priv_getTransactionReceipt', params: [marker] })
    for (const node of [0, 1]) {
      let found: unknown
      while (!(found = (await ask(node, receipt)).result)) await setTimeout(100)
      expect(found).toMatchObject({ status: '0x1', logs: [expect.anything()] })
    }
    expect(await ask(2, receipt)).toMatchObject({ result: null })
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  }))

/**
 * Process ids and parents of all processes that run. Those that have ended stay in the table until their parent asks how; in a container
 * that is often a first process which does not ask about orphans.
 */
function processes(): { readonly pid: number; readonly parent: number }[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , state]) => !state!.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }))
}

/** Process ids of the validators that a network runs. */
const validatorsOf = (network: Network) =>
  processes().flatMap(({ pid, parent }) => (parent === network.pid ? [pid] : []))

const bothUp = (output: string) => [0, 1].every((i) => lineOf(i).test(output))

test('a network starts with one command, ends in order and goes on where it was; a validator that dies is started again', () =>
  withTempFolder(async (folder) => {
    const dir = join(folder, 'net')
    const basePort = await freePort()
    const first = await runShortly(dir, basePort)
    expect(first.code).toBe(0)

    const child = startNetwork(dir, basePort)
    await readUntil(child, (output) => [0, 1].every((i) => heightIn(output, i) > first.height))
    const [victim, other] = validatorsOf(child)
    process.kill(victim!, 'SIGKILL')
    await readUntil(child, (output) => /node\d +down \(killed by SIGKILL\), starts again in \d+ s/.test(output))
    await readUntil(child, bothUp)
    const validators = validatorsOf(child)
    expect(validators).toHaveLength(2)
    expect(validators).toContain(other)
    // All of them end when the network is killed.
    child.kill('SIGKILL')
    while (processes().some(({ pid }) => validators.includes(pid))) await setTimeout(50)
  }))
