import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/commands.ts'
import { parseArgs } from '../../src/cli/parseArgs.ts'
import { checkConfig } from '../../src/config/checkConfig.ts'
import { settleAll } from '../../src/config/option.ts'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { generatePrivateKey } from '../../src/keys/nodeKey.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { curve } from '../../src/primitives/secp256k1.ts'
import { createCliHarness } from '../support/cliHarness.ts'
import { freePort } from '../support/freePort.ts'
import { withTempFolder } from '../support/tempStore.ts'

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}

/** Commands in blocks of shell code and at the start of table rows, each in one line. */
const commands = [
  ...[...readme.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block]) =>
    block!.replaceAll('\\\n', ' ').trim().split('\n'),
  ),
  ...[...readme.matchAll(/^\| `([^`]+)`/gm)].map(([, command]) => command!),
]

/** An example that stands for a value that a node gives. */
const anEnode = `enode://${toHex(curve.publicKey(generatePrivateKey())).slice(2)}@127.0.0.1:30303`
const wordsOf = (command: string) => command.replace('$ENODE', anEnode).trim().split(/\s+/)

/** Decodes all options of a command line, without running it. */
function checkLine(args: readonly string[]): void {
  if (args[0] === 'help') return
  const { path, given } = parseArgs(args, main)
  const resolved = resolveConfig(given[0]!, {})
  if (path.length === 1) checkConfig(resolved)
  else settleAll(path.at(-1)!.options, given.at(-1)!)
}

test('there are commands to check', () => expect(commands.length).toBeGreaterThan(20))

test.each(commands)('%s', (command) => {
  const [program, ...args] = wordsOf(command)
  if (/^(\w+=\$\()?curl$/.test(program!)) return expect(() => JSON.parse(/'(.*)'/.exec(command)![1]!)).not.toThrow()
  if (program === 'bin/quoin') return checkLine(args)
  expect(program).toBe('npm')
  const script = args[0] === 'run' ? args[1]! : args[0]!
  expect(scripts).toHaveProperty(script)
  if (script === 'start') checkLine(args.slice(args.indexOf('--') < 0 ? args.length : args.indexOf('--') + 1))
})

test('every page that it names exists', () => {
  const pages = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, page]) => page!)
  expect(pages.length).toBeGreaterThan(5)
  expect(pages.filter((page) => !existsSync(join(packageRoot, page)))).toEqual([])
})

test('commands that end by themselves do so', async () => {
  const cli = createCliHarness()
  const help = await cli.run(['help'])
  expect([help.code, help.stderr]).toEqual([0, ''])
  const evm = await cli.run(['evm', 'run', '0x6001600201', '--trace'])
  expect([evm.code, evm.stderr]).toEqual([0, ''])
  cli.remove()
})

/** Waits for a server; fails if the program ends before. */
async function fetchFrom(node: ChildProcess, url: string, init: RequestInit): Promise<Response> {
  while (node.exitCode === null)
    try {
      return await fetch(url, init)
    } catch {
      await setTimeout(20)
    }
  throw new Error(`the node ended with code ${node.exitCode}`)
}

test('npm start serves what the first section says', () =>
  withTempFolder(async (folder) => {
    const [http, ws, graphql] = [await freePort(), await freePort(), await freePort()]
    const ports = [`--rpc-http-port=${http}`, `--rpc-ws-port=${ws}`, `--graphql-http-port=${graphql}`]
    // As on a terminal.
    const args = ['scripts/start.mjs', `--data-path=${folder}`, '--log-format=text', ...ports]
    const node = spawn(process.execPath, args, { cwd: packageRoot, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(node, 'exit')
    let banner = ''
    node.stdout.on('data', (chunk) => (banner += chunk))
    try {
      const ask = async (body: string, headers: Record<string, string> = {}) => {
        const response = await fetchFrom(node, `http://127.0.0.1:${http}`, { method: 'POST', body, headers })
        return ((await response.json()) as { result: unknown }).result
      }
      const call = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
      const [, body] = /curl -s 127\.0\.0\.1:8545 -d '(.*)'/.exec(readme)!
      expect(await ask(body!)).toBe('0x0')
      expect(Number(await ask(call('eth_chainId')))).toBe(1337)
      expect(await ask(call('eth_accounts'))).toEqual([])
      expect(await ask(call('eth_chainId'), { origin: 'http://localhost:3000' })).toBe('0x539')
      const page = await fetchFrom(node, `http://127.0.0.1:${graphql}/graphql`, { headers: { accept: 'text/html' } })
      expect(await page.text()).toContain('<title>GraphQL · Quoin</title>')
    } finally {
      node.kill('SIGTERM')
    }
    expect(await ended).toEqual([0, null])
    expect(banner).toMatch(/0x[0-9a-fA-F]{40}\s+0x[0-9a-f]{64}/)
  }))
