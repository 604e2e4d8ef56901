import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Checks } from './checks.ts'
import { runCommand } from './command.ts'
import type { PythonPackages } from './pythonPackages.ts'

export interface PythonProgram {
  /** Prints a line `ok NAME` or `wrong NAME` for each thing that it tries, by its function `say`. */
  readonly text: string
  readonly packages: PythonPackages
  /** Where it runs. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** Runs a program; each line that it says is a check. */
export async function runPythonProgram(checks: Checks, title: string, program: PythonProgram): Promise<void> {
  const { text, packages, folder, env } = program
  const script = join(folder, 'program.py')
  writeFileSync(script, text)
  const { stdout, stderr } = await runCommand(packages.python, [script], { cwd: folder, env })
  const said = stdout.split('\n').filter((line) => /^(ok|wrong) /.test(line))
  for (const line of said) checks.equal(`${title}: ${line.replace(/^\w+ /, '')}`, line.split(' ')[0], 'ok')
  const expected = text.split(/\n *say\(/).length - 1
  const all = said.length === expected
  checks.equal(`${title}: all was tried`, all ? all : stderr.slice(-500), true)
}
