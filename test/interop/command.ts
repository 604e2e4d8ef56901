import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface CommandOptions {
  readonly cwd?: string
  /** Beside the environment of this process. */
  readonly env?: NodeJS.ProcessEnv
}

export interface Outcome {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, however that is. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env }: CommandOptions = {},
): Promise<Outcome> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => child.kill('SIGKILL')
  process.on('exit', stop)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  process.off('exit', stop)
  return { code, stdout, stderr }
}

/** Runs a program that must succeed, and returns what it prints. */
export async function outputOf(command: string, args: readonly string[], options?: CommandOptions): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, args, options)
  if (code === 0) return stdout.trim()
  throw new Error(`code ${code}: ${`${stdout}\n${stderr}`.trim().slice(-1000)}`)
}
