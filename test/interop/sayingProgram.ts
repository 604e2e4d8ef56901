import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Checks } from './checks.ts'
import { runCommand } from './command.ts'

/** A program in any language that uses a tool as its users do. */
export interface SayingProgram {
  /** Prints a line `ok NAME` or `wrong NAME` for each thing that it tries, by its function `say`. */
  readonly text: string
  /** Where the text goes: the languages look for what it uses from there. */
  readonly script: string
  /** What runs the script. */
  readonly command: readonly [program: string, ...args: string[]]
  readonly env: NodeJS.ProcessEnv
}

/** Some languages say at the beginning what was wrong, others at the end. */
const shortened = (text: string) => (text.length > 1000 ? `${text.slice(0, 500)} … ${text.slice(-500)}` : text)

/** Runs a program; each line that it says is a check. */
export async function runSayingProgram(checks: Checks, title: string, program: SayingProgram): Promise<void> {
  const { text, script, env } = program
  const [command, ...args] = program.command
  mkdirSync(dirname(script), { recursive: true })
  writeFileSync(script, text)
  const { stdout, stderr } = await runCommand(command, [...args, script], { cwd: dirname(script), env })
  const said = stdout.split('\n').filter((line) => /^(ok|wrong) /.test(line))
  for (const line of said) checks.equal(`${title}: ${line.replace(/^\w+ /, '')}`, line.split(' ')[0], 'ok')
  const expected = text.split(/\n *say\(/).length - 1
  const all = said.length === expected
  checks.equal(`${title}: all was tried`, all ? all : `${said.length} of ${expected}: ${shortened(stderr)}`, true)
}
