import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import type { Checks } from '../../interop/checks.ts'
import { checkBlock } from './checkBlock.ts'
import { writeNetwork } from './fixture.ts'
import { createMachines } from './machine.ts'
import { readQuoin } from './quoinCommand.ts'
import { type Act, type Block, readPage, type Step } from './readPage.ts'
import { isPartOfOutput, isSameOutput } from './sameOutput.ts'
import { createSession, type Server, type Session } from './session.ts'
import { firstWords, splitCommands } from './shell.ts'

/** What servers say when they serve, Besu's too; a network, when it has made a block. */
const isReady = /node started|(signer|manager|server) started|block [1-9]\d* |Ethereum main loop is up/

/** How long something that comes by itself is waited for. */
const patience = 240_000

/** A clone, as far as the commands of a page see it. */
const cloned = ['bin', 'build', 'deploy', 'dist', 'docs', 'package.json', 'scripts', 'test']

interface Running {
  readonly server: Server
  readonly machine: string
  readonly place: string
}

/** Runs what a page tells its readers to, in order, in an empty folder with these packages. */
export async function runPage(
  page: string,
  folder: string,
  { step: check }: Pick<Checks, 'step'>,
  modules = join(packageRoot, 'node_modules'),
): Promise<void> {
  const machineOf = createMachines(folder)
  // What npm says about the configuration of this machine is on no page.
  const quiet = { QUOIN_LOG_FORMAT: 'text', npm_config_loglevel: 'error' }
  const env = { ...process.env, ...quiet, PATH: `${tools(folder)}:${process.env['PATH']}` }
  const sessions = new Map<string, Session>()
  const running: Running[] = []
  let errorsMayCome = false

  function sessionOf(name: string): Session {
    const known = sessions.get(name)
    if (known) return known
    const machine = machineOf(name)
    const session = createSession(machine, env)
    sessions.set(name, session)
    for (const entry of cloned) linkIfThere(join(packageRoot, entry), join(machine.folder, entry))
    linkIfThere(modules, join(machine.folder, 'node_modules'))
    // Copied, so that they find the packages beside them.
    cpSync(join(packageRoot, 'examples'), join(machine.folder, 'examples'), { recursive: true })
    return session
  }

  async function stop(which: (one: Running) => boolean): Promise<void> {
    for (const one of running.filter(which)) {
      running.splice(running.indexOf(one), 1)
      const code = await one.server.stop()
      if (![0, 130, 'SIGINT'].includes(code))
        throw new Error(`${one.server.command} ended with ${code}: ${tail(one.server)}`)
    }
  }

  async function serve(command: string, name: string, place: string, expected: string | undefined): Promise<void> {
    // The reader would stop the one that has the port.
    await stop((one) => one.machine === name && one.place === place)
    const server = sessionOf(name).start(command)
    running.push({ server, machine: name, place })
    const isThere = () => isReady.test(server.output()) && (!expected || isPartOfOutput(server.output(), expected))
    await eventually(
      () => {
        if (server.exitCode() !== undefined) throw new Error(`ended with ${server.exitCode()}: ${tail(server)}`)
        return isThere()
      },
      () => `does not show what it should: ${tail(server)}`,
    )
  }

  async function runShell(block: Block, name: string): Promise<void> {
    const commands = splitCommands(block.text)
    let shown = ''
    for (const [i, command] of commands.entries()) {
      const isLast = i === commands.length - 1
      const quoin = readQuoin(command)
      if (quoin?.isServer && !(isLast && block.exit)) {
        await serve(command, name, quoin.place, isLast ? block.expected : undefined)
        continue
      }
      if (isInstalled(command, modules)) continue
      const code = isLast ? (block.exit ?? 0) : 0
      const expected = isLast ? block.expected : undefined
      // What a node is asked may become true a moment later; everything else has to be so at once.
      const mayRepeat = command.includes('curl ')
      let output = ''
      await eventually(
        async () => {
          const answer = await sessionOf(name).run(command)
          output = answer.stdout + answer.stderr
          const isRight =
            answer.code === code &&
            (expected === undefined
              ? errorsMayCome || !isRpcError(answer.stdout)
              : isSameOutput(shown + output, expected))
          if (!isRight && !mayRepeat) throw new Error(`${command}\nended with ${answer.code}: ${shown}${output}`)
          return isRight
        },
        () => `${command}\nanswers ${shown}${output}`,
      )
      shown += output
    }
  }

  async function act({ kind, text }: Act): Promise<void> {
    if (kind === 'stop') await stop(({ machine }) => !text || machine === text)
    else if (kind === 'with') await prepare(text)
    else errorsMayCome = true
  }

  /** `a network [on MACHINE…]`: the first machine is the validator. */
  async function prepare(what: string): Promise<void> {
    const names = /^a network(?: on (.+))?$/.exec(what)
    if (!names) throw new Error(`what is ${what}?`)
    const [first = '', ...others] = names[1]?.split(' ') ?? []
    await writeNetwork(machineOf(first).folder, sessionOf(first))
    for (const name of others) {
      sessionOf(name)
      cpSync(join(machineOf(first).folder, 'genesis.json'), join(machineOf(name).folder, 'genesis.json'))
    }
  }

  async function take(step: Step): Promise<void> {
    if (step.kind !== 'block') return act(step)
    checkBlock(step)
    if (step.notRun) return
    if (step.language === 'sh') {
      for (const name of (step.machine ?? '').split(' ')) await runShell(step, name)
      return
    }
    if (!step.file) return
    const { folder: home } = machineOf(step.machine ?? '')
    mkdirSync(dirname(join(home, step.file)), { recursive: true })
    writeFileSync(join(home, step.file), `${step.text}\n`)
  }

  for (const step of readPage(page)) {
    const title = step.kind === 'block' ? step.text.split('\n')[0]!.slice(0, 100) : step.kind
    const how = step.kind === 'block' && step.notRun ? ' (syntax and options only)' : ''
    await check(`line ${step.line}: ${title}${how}`, () => take(step))
  }
  await check('everything that it started stops', () => stop(() => true))
}

async function eventually(isSo: () => boolean | Promise<boolean>, fault: () => string): Promise<void> {
  const end = performance.now() + patience
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(fault())
    await setTimeout(200)
  }
}

/** The end of what a server has written. */
const tail = (server: Server) => server.output().slice(-2000)

function linkIfThere(target: string, path: string): void {
  try {
    symlinkSync(target, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Whether a command installs packages that are there already. */
function isInstalled(command: string, modules: string): boolean {
  const [program, verb, ...names] = firstWords(command)
  if (program !== 'npm' || verb !== 'install') return false
  return names.every((name) => existsSync(join(modules, name.replace(/@.*/, ''))))
}

function isRpcError(output: string): boolean {
  try {
    return 'error' in JSON.parse(output)
  } catch {
    return false
  }
}

/** A folder of programs: `quoin` as it is when installed, and `scp` between the machines of a page. */
function tools(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(join(packageRoot, 'bin/quoin'), join(bin, 'quoin'))
  const scp = `#!/usr/bin/env bash
target=\${!#}
mkdir -p "${folder}/\${target%%:*}/\${target#*:}" && cp -r "\${@:1:$#-1}" "${folder}/\${target%%:*}/\${target#*:}"
`
  writeFileSync(join(bin, 'scp'), scp, { mode: 0o755 })
  return bin
}
