import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runCli } from '../../src/cli/runCli.ts'
import type { Config } from '../../src/config/options.ts'

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** What a node would have been started with. */
  readonly started: Config | undefined
}

/** A temporary folder in which tests run command lines; `{dir}` in arguments and variables stands for it. */
export function createCliHarness() {
  const dir = mkdtempSync(join(tmpdir(), 'quoin-cli-'))
  const fill = (text: string) => text.replaceAll('{dir}', dir)
  return {
    dir,
    async run(args: readonly string[], given: { env?: Record<string, string>; stdin?: string } = {}): Promise<Outcome> {
      const env = Object.fromEntries(Object.entries(given.env ?? {}).map(([name, value]) => [name, fill(value)]))
      let stdout = ''
      let stderr = ''
      let started: Config | undefined
      const io = {
        env,
        columns: 80,
        stdout: (text: string) => void (stdout += text),
        stderr: (text: string) => void (stderr += text),
        stdin: async () => given.stdin ?? '',
      }
      const code = await runCli(args.map(fill), io, async (config) => void (started = config))
      return { code, stdout, stderr: stderr.replaceAll(dir, '{dir}'), started }
    },
    write(name: string, text: string): void {
      mkdirSync(dirname(join(dir, name)), { recursive: true })
      writeFileSync(join(dir, name), text)
    },
    read: (name: string): string => readFileSync(join(dir, name), 'utf8'),
    exists: (name: string): boolean => existsSync(join(dir, name)),
    /** Every file and folder, by its path from the temporary folder. */
    entries: (): string[] => readdirSync(dir, { recursive: true }).map(String).sort(),
    remove: (): void => rmSync(dir, { recursive: true }),
  }
}
