import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Checks } from '../../interop/checks.ts'
import { freePort } from '../../support/freePort.ts'
import type { OtherNode } from './fetchNode.ts'
import { startProgram } from './programRun.ts'

/** What is run where: a Node, in a folder that has a clone or a package, with an empty folder for data. */
export interface Place {
  readonly node: OtherNode
  readonly checks: Checks
  readonly cwd: string
  readonly data: string
}

/** What npm and the set-up of a clone say before the node does; npm also of settings that the user has made elsewhere. */
const known =
  /^(?:|> .*|npm warn Unknown (?:user|global|env) config .*|Installing dependencies.*|Building .*|Compiling .*|Checking .*| {2}\d+ of \d+: .*)$/

const foreign = (text: string, isKnown: (line: string) => boolean) => text.split('\n').filter((line) => !isKnown(line))

const isJson = (line: string) => line === '' || line.startsWith('{"level":')

async function clientVersion(port: number): Promise<string | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'web3_clientVersion', params: [] })
  const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body }).catch(() => undefined)
  return answer && ((await answer.json()) as { result: string }).result
}

/** Starts a development node by a command, until its first answer; nothing but its own lines may be on the terminal. */
export async function runStart(
  { node, checks, cwd, data }: Place,
  command: readonly [string, ...string[]],
): Promise<void> {
  const port = await freePort()
  const others = ['rpc-ws', 'graphql-http', 'explorer-http', 'p2p'].map((name) => `--${name}-port=0`)
  const [program, ...args] = command
  const title = `Node ${node.version}: ${args.at(-1) === '--' ? 'npm start' : args[0]!.replace(/^.*node_modules/, 'node_modules')}`
  await checks.step(`${title} answers`, async () => {
    const run = startProgram(
      program === 'npm' ? join(node.env.PATH!.split(':')[0]!, 'npm') : program,
      [...args, `--data-path=${join(data, 'start')}`, `--rpc-http-port=${port}`, ...others],
      { cwd, env: node.env },
    )
    const version = await run.until('answer', () => clientVersion(port))
    await run.stop()
    checks.equal(`${title} is this Node`, version.endsWith(`node-v${node.version}`), true)
    checks.equal(
      `${title} says nothing foreign`,
      foreign(run.output(), (line) => isJson(line) || known.test(line)),
      [],
    )
    checks.equal(
      `${title} complains of nothing`,
      foreign(run.errors(), (line) => known.test(line)),
      [],
    )
  })
}

/** What a browser gets of the explorer: the page, and all that it names. */
async function checkExplorer(checks: Checks, title: string, url: string): Promise<void> {
  await checks.step(`${title} serves the explorer`, async () => {
    const page = await (await fetch(url)).text()
    const parts = [...page.matchAll(/(?:src|href)="([^":]+\.(?:js|css))"/g)].map(([, path]) => new URL(path!, url))
    if (parts.length === 0) throw new Error(`the page names no script: ${page.slice(0, 300)}`)
    for (const part of parts) {
      const { status } = await fetch(part)
      if (status !== 200) throw new Error(`${part.pathname}: status ${status}`)
    }
  })
}

/** Runs `quoin network` until all validators have some blocks. */
export async function runNetwork(place: Place, quoin: string, validators = 2): Promise<void> {
  const { node, checks, cwd, data } = place
  const title = `Node ${node.version}: quoin network`
  const dir = join(data, 'network')
  await checks.step(`${title} of ${validators} makes blocks`, async () => {
    const port = await freePort()
    const args = ['network', `--validators=${validators}`, `--dir=${dir}`, `--base-port=${port}`]
    const run = startProgram(node.program, [join(cwd, quoin), ...args], { cwd, env: node.env })
    const hasBlocks = (i: number) => new RegExp(`^ +node${i} +block (?:[3-9]|\\d\\d)`, 'm').test(run.output())
    await run.until('block 3', () => Array.from({ length: validators }, (_, i) => hasBlocks(i)).every(Boolean))
    await checkExplorer(checks, title, `http://127.0.0.1:${port + 3}/`)
    checks.equal(`${title} ends in order`, await run.stop(), 0)
    checks.equal(`${title} complains of nothing`, run.errors(), '')
    for (const name of readdirSync(dir).filter((name) => /^node\d$/.test(name)))
      checks.equal(
        `${title}: the log of ${name}`,
        foreign(readFileSync(join(dir, name, 'node.log'), 'utf8'), isJson),
        [],
      )
  })
}

/** Installs a package in an empty folder, and runs what is in it: a development node, and a network of four with its explorer. */
export async function runPackage(place: Place, file: string): Promise<void> {
  const own = { ...place, cwd: join(place.data, 'elsewhere'), data: join(place.data, 'elsewhere') }
  mkdirSync(own.cwd)
  writeFileSync(join(own.cwd, 'package.json'), '{}')
  await runCommand(own, 'the package is installed', ['npm', 'install', file])
  const quoin = 'node_modules/quoin/bin/quoin'
  await runStart(own, [place.node.program, quoin])
  await runNetwork(own, quoin, 4)
}

/** Runs a command to its end; gives what it said on standard output. */
export async function runCommand({ node, checks, cwd }: Place, name: string, args: readonly string[]): Promise<string> {
  let output = ''
  await checks.step(`Node ${node.version}: ${name}`, async () => {
    const npm = join(node.env.PATH!.split(':')[0]!, 'npm')
    const [program, rest] = args[0] === 'npm' ? [npm, args.slice(1)] : [node.program, args]
    const run = startProgram(program, rest, { cwd, env: node.env })
    const code = await run.ended()
    output = run.output()
    if (code !== 0) throw new Error(`exit code ${code}: ${(output + run.errors()).slice(-3000)}`)
  })
  return output
}
