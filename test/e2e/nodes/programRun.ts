import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program that runs, and what it has said so far. */
export interface ProgramRun {
  output(): string
  errors(): string
  /** Waits until it has said something that fits, or asks until the action gives something; throws if the program ends before. */
  until<T>(what: string, look: () => T | Promise<T | undefined> | undefined): Promise<T>
  /** Ends it as Ctrl+C does; its exit code. */
  stop(): Promise<unknown>
  /** The exit code, when it has ended. */
  ended(): Promise<unknown>
}

const patience = 600_000

export function startProgram(program: string, args: readonly string[], options: SpawnOptions): ProgramRun {
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stdout?.on('data', (text) => (output += String(text)))
  child.stderr?.on('data', (text) => (errors += String(text)))
  const closed = once(child, 'close')
  closed.catch(() => {})
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  // Its own group: a terminal sends Ctrl+C to all of it, and npm alone does not pass that on.
  const signal = (name: NodeJS.Signals) => {
    if (!hasEnded() && child.pid !== undefined) process.kill(-child.pid, name)
  }
  const leave = () => signal('SIGKILL')
  process.once('exit', leave)
  void closed.finally(() => process.off('exit', leave)).catch(() => {})
  return {
    output: () => output,
    errors: () => errors,
    async until(what, look) {
      const end = Date.now() + patience
      for (;;) {
        const found = await look()
        if (found) return found
        if (hasEnded()) throw new Error(`it ended before ${what}: ${(output + errors).slice(-600)}`)
        if (Date.now() > end)
          throw new Error(`no ${what} in ${patience / 60_000} minutes: ${(output + errors).slice(-600)}`)
        await sleep(100)
      }
    },
    async stop() {
      signal('SIGINT')
      return (await closed)[0]
    },
    ended: async () => (await closed)[0],
  }
}
