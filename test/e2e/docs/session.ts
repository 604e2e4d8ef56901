import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Machine } from './machine.ts'

/** A program that runs until it is stopped. */
export interface Server {
  readonly command: string
  /** All that it has written. */
  output(): string
  /** Undefined while it runs. */
  exitCode(): number | null | undefined
  /** Ctrl+C; returns the exit code, or the signal that ended it. */
  stop(): Promise<number | string>
}

export interface Answer {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What a reader types: commands of one machine after another, with their variables and folder kept between. */
export interface Session {
  run(command: string): Promise<Answer>
  start(command: string): Server
}

/** Far beyond what any command of a page takes. */
const patience = 600_000

export function createSession(machine: Machine, env: NodeJS.ProcessEnv): Session {
  const state = join(machine.folder, '.session')
  const before = `set -a; [ -f "${state}" ] && . "${state}"; set +a`
  const after = `{ export -p; printf 'cd %q\\n' "$PWD"; } > "${state}"`
  function begin(script: string): { readonly child: ChildProcess; text(): { stdout: string; stderr: string } } {
    const [program, ...args] = [...machine.within, 'bash', '-c', script]
    const child = spawn(program!, args, { cwd: machine.folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout!.on('data', (chunk) => (stdout += chunk))
    child.stderr!.on('data', (chunk) => (stderr += chunk))
    return { child, text: () => ({ stdout, stderr }) }
  }
  return {
    async run(command) {
      const script = `${before}\nset -a -o pipefail\n${command}\ncode=$?\n${after}\nexit $code`
      const { child, text } = begin(script)
      const ended = once(child, 'close')
      const timer = new AbortController()
      const late = setTimeout(patience, undefined, { signal: timer.signal, ref: false }).then(
        () => process.kill(-child.pid!, 'SIGKILL'),
        () => undefined,
      )
      const [code] = await ended
      timer.abort()
      await late
      return { code, ...text() }
    },
    start(command) {
      const { child, text } = begin(`${before}\n${command}`)
      const ended = once(child, 'close')
      let code: number | null | undefined
      child.once('close', (ending) => (code = ending))
      return {
        command,
        output: () => text().stdout + text().stderr,
        exitCode: () => code,
        async stop() {
          if (code === undefined) process.kill(-child.pid!, 'SIGINT')
          const [ending, signal] = await ended
          return ending ?? signal
        },
      }
    },
  }
}
