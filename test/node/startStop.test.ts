import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'

const program = join(packageRoot, 'bin/quoin')

let folder: string
let children: ChildProcess[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-start-'))
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

function run(command: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const lines: string[] = []
  let errors = ''
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  child.stderr.on('data', (text) => (errors += String(text)))
  const closed = once(child, 'close')
  return {
    child,
    lines,
    errors: () => errors,
    async ended(): Promise<{ code: unknown; signal: unknown }> {
      const [code, signal] = await closed
      return { code, signal }
    },
    async saw(text: string): Promise<string> {
      for (;;) {
        const found = lines.find((line) => line.includes(text))
        if (found !== undefined) return found
        if (child.exitCode !== null) throw new Error(`ended without ${text}: ${errors}`)
        await setTimeout(20)
      }
    },
  }
}

const otherPorts = ['--rpc-ws-port=0', '--graphql-http-port=0', '--explorer-http-port=0', '--p2p-port=0']
const options = () => [`--data-path=${folder}`, '--rpc-http-port=0', ...otherPorts]
const runNode = (...more: string[]) => run([program, ...options(), ...more])

test('a node goes on when the reader of its log has ended', async () => {
  const node = runNode('--logging=trace')
  const started = JSON.parse(await node.saw('"service":"jsonrpc"')) as { url?: string }
  await node.saw('node started')
  node.child.stdout!.destroy()
  const ask = () =>
    fetch(String(started.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }),
    }).then((answer) => answer.json())
  // Each block is a line that nobody takes.
  for (let i = 0; i < 5; i++) expect(await ask()).toMatchObject({ id: 1 })
  expect(node.child.exitCode).toBe(null)
  node.child.kill('SIGTERM')
  expect(await node.ended()).toEqual({ code: 0, signal: null })
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops a node in order; its output is JSON from the first line to the last',
  async (signal) => {
    const node = runNode()
    await node.saw('node started')
    node.child.kill(signal)
    // A launcher passes on what the terminal has sent already.
    node.child.kill(signal)
    expect(await node.ended()).toEqual({ code: 0, signal: null })
    const messages = node.lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(messages.slice(-2)).toEqual(['stopping', 'stopped'])
    expect(node.lines.join()).not.toContain('8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63')
    // Neither V8 nor Node complains of a setting or warns of something outdated.
    expect(node.errors()).toBe('')
  },
)

test('--log-format=text shows the banner and lines to read', async () => {
  const node = runNode('--log-format=text')
  expect(await node.saw('node started')).toMatch(/^\d{4}-\d\d-\d\d [\d:.]+ INFO {2}node: node started/)
  await node.saw('development network')
  node.child.kill('SIGTERM')
  expect((await node.ended()).code).toBe(0)
})

test('a port that is taken ends the process with code 1 and one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const node = run([program, `--data-path=${folder}`, `--rpc-http-port=${port}`, ...otherPorts])
  expect(await node.ended()).toEqual({ code: 1, signal: null })
  expect(node.errors()).toMatch(/^Port\(s\) '\[\d+\]' already in use.*--rpc-http-port\.\n$/)
  taken.close()
})

test('a data folder that cannot be made ends the process with code 1 and one line', async () => {
  const node = run([program, `--data-path=${join(program, 'x')}`, '--rpc-http-port=0'])
  expect((await node.ended()).code).toBe(1)
  expect(node.errors()).toMatch(/^Cannot create the folder .*: ENOTDIR\n$/)
})

test('a node stops in order when the program is gone that started it', async () => {
  const args = JSON.stringify([program, ...options()])
  // The launcher hands its output on, so that the node's lines are seen after its end.
  const launcher = run([
    '-e',
    `const env = { ...process.env, QUOIN_STOP_WITH_PID: String(process.pid) }
     require('node:child_process').spawn(process.execPath, ${args}, { env, stdio: 'inherit' })`,
  ])
  await launcher.saw('node started')
  launcher.child.kill('SIGKILL')
  // The pipe closes when the last process that writes to it has ended.
  expect(await launcher.ended()).toEqual({ code: null, signal: 'SIGKILL' })
  expect(launcher.lines.at(-1)).toContain('"msg":"stopped"')
})
