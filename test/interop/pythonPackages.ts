import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command.ts'

/** Packages of PyPI that a test uses; they are fetched on first use into an environment outside of the repository. */
export interface PythonPackages {
  /** The Python that finds them. */
  readonly python: string
  /** Fetches what is not there yet; returns why it cannot be had, undefined when it is there. */
  fetch(): Promise<string | undefined>
}

/** Packages `NAME==VERSION` in an environment of a name. */
export function createPythonPackages(name: string, packages: readonly string[]): PythonPackages {
  const folder = join(tmpdir(), 'quoin-interop', name)
  const python = join(folder, 'bin/python')
  const stamp = join(folder, 'packages.txt')
  const list = packages.join('\n')
  return {
    python,
    async fetch() {
      if (existsSync(stamp) && readFileSync(stamp, 'utf8') === list) return undefined
      mkdirSync(folder, { recursive: true })
      const steps: readonly (readonly [string, readonly string[]])[] = [
        ['python3', ['-m', 'venv', folder]],
        [python, ['-m', 'pip', 'install', '--quiet', ...packages]],
      ]
      for (const [command, args] of steps) {
        const outcome = await runCommand(command, args).catch((error: Error) => ({ code: 1, stderr: error.message }))
        if (outcome.code !== 0) return `${command} ${args.join(' ')} failed (${outcome.stderr.trim().slice(-300)})`
      }
      writeFileSync(stamp, list)
      return undefined
    },
  }
}
